// SPDX-License-Identifier: MIT

import Domain

extension IntentFinder {
    /// "Which state has Boise as its capital?", "Whose bird is the roadrunner?", "What bird does Denver's state have?"
    func owners() -> Interpretation? {
        if let place = placeAsCity() { return place }
        guard segment.rows.isEmpty, let value = segment.values.first else { return nil }
        let asksState = segment.has(.state) || segment.says("whose")
        var explained = segment.explained.union(whoHas()).union(howMany())
        explained.formUnion(segment.positions(.city))
        let meanings = segment.values.map(\.meaning)
        let matching = segment.topics.filter { asked in
            meanings.contains { !$0.owners(for: asked.topic).isEmpty }
        }
        let isOfValue = segment.values.contains { isOwnedTopic(of: $0) }
        if segment.topics.allSatisfy({ $0.topic == .location }) {
            guard asksState || (segment.has(.place) || !segment.topics.isEmpty) && value.meaning.isCity,
                segment.values.count == 1
            else {
                return nil
            }
            explained.formUnion(segment.positions(.place))
            return ownerFacts(value.meaning, value.meaning.allOwners, explained)
        }
        if let chained = chainedFacts(matching, explained) { return chained }
        guard segment.values.count == 1, !isOfValue else { return nil }
        explained.formUnion(segment.positions(.place))
        if let topic = matching.first?.topic, matching.count == segment.topics.count {
            var owners = value.meaning.owners(for: topic)
            for other in matching.dropFirst() {
                owners = owners.filter { value.meaning.owners(for: other.topic).contains($0) }
            }
            if owners.isEmpty { return ownerFacts(value.meaning, value.meaning.allOwners, explained) }
            if matching.count > 1 { return ownerFacts(value.meaning, owners, explained) }
            return Interpretation(
                intent: "states by \(topic.name)", sentences: AnswerWriter.owners(of: topic, rows: owners),
                rows: owners,
                plainness: asksState ? 1 : 0.9, explained: explained)
        }
        // A city that is asked about as a capital, but is only a largest city, or the other way round.
        let cityTopics: Set<Topic> = [.capital, .largestCity]
        guard value.meaning.isCity, segment.topics.allSatisfy({ cityTopics.contains($0.topic) }) else { return nil }
        let isYesNo = ["is", "was"].contains(segment.text(segment.range.lowerBound)) && !asksWhich
        return ownerFacts(value.meaning, value.meaning.allOwners, explained, lead: isYesNo ? "No, " : "")
    }

    private var asksWhich: Bool { segment.says("which", "what", "whose") }

    private func ownerFacts(_ meaning: NameMeaning, _ owners: [Int], _ explained: Set<Int>, lead: String = "")
        -> Interpretation?
    {
        guard !owners.isEmpty else { return nil }
        var sentences: [String] = []
        if meaning.isCity {
            sentences = owners.map { row in
                var topics: [Topic] = []
                if meaning.capitals.contains(row) { topics.append(.capital) }
                if meaning.largestCities.contains(row) { topics.append(.largestCity) }
                return IntentFinder.citySentence(row, topics)
            }
        }
        sentences += AnswerWriter.owners(of: .bird, rows: meaning.birds)
        sentences += AnswerWriter.owners(of: .flower, rows: meaning.flowers)
        if let first = sentences.first { sentences[0] = lead + first }
        return Interpretation(
            intent: "states that have it", sentences: sentences, rows: owners, plainness: 0.9, explained: explained)
    }

    /// "What is the bird of the state whose capital is Boise?": the value identifies the state, the other topic is
    /// asked.
    private func chainedFacts(_ matching: [QuestionSegment.Asked], _ explained: Set<Int>) -> Interpretation? {
        let asked = segment.topics.filter { topic in !matching.contains { $0.topic == topic.topic } }
        guard !asked.isEmpty, segment.has(.state), segment.values.count == 1, let value = segment.values.first else {
            return nil
        }
        var owners = value.meaning.allOwners
        if let topic = matching.first?.topic {
            owners = value.meaning.owners(for: topic)
        } else {
            let after = value.range.upperBound
            let links: Set<String> = ["with", "of", "having", "where", "that", "containing", "has", "whose", "is"]
            let isOwned = segment.range.contains(after) && segment.words[after].role == .state
            let isLinked = segment.positions(.state).contains { state in
                state < value.range.lowerBound && links.contains(segment.text(state + 1))
                    && value.range.lowerBound - state <= 5
            }
            guard isOwned || isLinked else { return nil }
        }
        guard owners.count == 1, let row = owners.first else { return nil }
        var explained = explained
        if asked.contains(where: { $0.topic == .admission }) {
            explained.formUnion(all { $0 == .time || $0 == .becoming })
        }
        explained.formUnion(segment.positions(.place))
        return Interpretation(
            intent: "facts of the state that has it", sentences: asked.map { AnswerWriter.facts($0.topic, of: row) },
            rows: [row], plainness: 0.9, explained: explained)
    }

    /// "The capital of Boise", "Boise's bird": a city has no such topic.
    private func isOwnedTopic(of value: QuestionSegment.Value) -> Bool {
        let after = value.range.upperBound
        if value.isPossessive, segment.range.contains(after), segment.words[after].role != .state { return true }
        var before = value.range.lowerBound - 1
        if segment.text(before) == "the" { before -= 1 }
        guard ["of", "in", "for", "from"].contains(segment.text(before)) else { return false }
        let topic = before - 1
        return segment.topics.contains { $0.position == topic }
            || segment.range.contains(topic) && segment.words[topic].role == .city
    }

    /// "Who has …", "who uses …": asks for states.
    private func whoHas() -> Set<Int> {
        let verbs: Set<String> = [
            "has", "have", "uses", "use", "picked", "chose", "claims", "adopted", "got", "selected",
        ]
        return Set(
            segment.range.filter { position in
                guard segment.text(position) == "who" else { return false }
                return verbs.contains(segment.text(position + 1))
                    || segment.text(position + 1) == "is" && segment.text(position + 2) == "got"
            }
        ).union(segment.whoKnows)
    }

    /// "How many states have …": the answer is a list of states.
    private func howMany() -> Set<Int> {
        Set(
            segment.range.flatMap { position -> [Int] in
                guard segment.text(position) == "how", segment.text(position + 1) == "many",
                    segment.positions(.state).contains(position + 2) || segment.text(position + 2) == "us"
                else { return [] }
                return [position, position + 1]
            })
    }

    /// "New York is the largest city in which state?": there the name means the city.
    private func placeAsCity() -> Interpretation? {
        guard segment.places.count == 1, segment.values.isEmpty, let row = segment.rows.first,
            StateTable.rows[row].abbreviation == "NY", segment.topics.count == 1,
            segment.topics[0].topic == .largestCity, segment.has(.state),
            let which = segment.range.last(where: { ["which", "what"].contains(segment.text($0)) }),
            segment.text(which + 1) == "state"
        else { return nil }
        return Interpretation(
            intent: "states by largest city", sentences: AnswerWriter.owners(of: .largestCity, rows: [row]),
            rows: [row],
            plainness: 0.95, explained: segment.explained)
    }
}
