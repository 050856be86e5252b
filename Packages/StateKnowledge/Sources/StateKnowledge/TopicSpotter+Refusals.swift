// SPDX-License-Identifier: MIT

extension TopicSpotter {
    /// "Capital of the US" is about the country; "bird of the capital" about nothing known.
    mutating func refuseCountryAndChains() {
        if let last = segment.range.last, segment.text(last) == "like", !found.isEmpty {
            segment.objection = "it asks what something is like"
        }
        if let last = segment.range.last,
            ["symbolize", "symbolise", "represent", "signify"].contains(segment.text(last)),
            segment.says("what"), segment.says("does", "do"), segment.values.isEmpty, !found.isEmpty,
            segment.text(segment.range.lowerBound) == "what"
        {
            segment.objection = "it asks what something means"
        }
        if let reason = praise() { segment.objection = reason }
        // "When did teachers join the union": only a state joins the Union.
        let people: Set<String> = ["i", "we", "you", "he", "she", "who"]
        for asked in found where asked.topic == .admission && asked.position > segment.range.lowerBound {
            let verb = segment.text(asked.position)
            guard verb.hasPrefix("join") || verb.hasPrefix("enter") else { continue }
            let subject = segment.words[asked.position - 1]
            guard subject.mention == nil, subject.role == .context || people.contains(subject.text) else { continue }
            guard !segment.places.isEmpty || subject.role == .context else { continue }
            segment.objection = "it asks when somebody joined something"
        }
        // "A bird named Texas".
        if let named = found.first(where: { asked in
            ["named", "called"].contains(segment.text(asked.position + 1))
                && segment.places.contains { $0.range.lowerBound == asked.position + 2 }
        }) {
            segment.objection = "it is about a \(named.topic.name) of that name"
        }
        // A "bird capital" is a town with that nickname.
        for (asked, next) in zip(found, found.dropFirst()) where next.position == asked.position + 1 {
            guard next.topic == .capital, [.bird, .flower].contains(asked.topic), found.count == 2,
                segment.words[next.position].token.separation == .none, segment.text(next.position + 1) == "of"
            else { continue }
            segment.objection = "it asks for a \(asked.topic.name) capital"
        }
        for asked in found where asked.topic != .admission {
            var position = asked.position + 1
            while segment.range.contains(position), segment.explained.contains(position) || role(position) == .emblem {
                position += 1
            }
            guard segment.range.contains(position), ["of", "in", "for"].contains(segment.text(position)) else {
                continue
            }
            position += 1
            while ["the", "whole", "entire"].contains(segment.text(position)) { position += 1 }
            guard segment.range.contains(position), segment.words[position].mention == nil else { continue }
            if role(position) == .country {
                while segment.range.contains(position), role(position) == .country { position += 1 }
                if !segment.range.contains(position) || role(position) != .state {
                    segment.objection = "it asks about the country as a whole"
                }
            } else if let next = found.first(where: { $0.position == position }), next.topic != asked.topic {
                segment.objection = "it asks for the \(asked.topic.name) of a \(next.topic.name)"
            }
        }
    }

    /// "Is the capital of Ohio nice?": asks for an opinion.
    private func praise() -> String? {
        let opinions: Set<String> = [
            "nice", "pretty", "special", "beautiful", "lovely", "cool", "amazing", "awesome", "fun", "kind", "great",
            "neat", "interesting", "deaf", "dumb", "simple", "easy", "famous",
        ]
        guard let last = segment.range.last, opinions.contains(segment.text(last)), last > segment.range.lowerBound,
            segment.words[last].token.separation == .none, segment.says("is", "are", "was", "so", "about")
        else { return nil }
        let before = segment.words[last - 1]
        let isPredicate = before.mention != nil || before.role?.isTopic == true || before.role == .city
        return isPredicate || ["so", "very", "really"].contains(before.text) ? "it asks for an opinion" : nil
    }
}
