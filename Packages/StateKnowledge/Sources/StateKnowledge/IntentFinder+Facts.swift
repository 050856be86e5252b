// SPDX-License-Identifier: MIT

import Domain

extension IntentFinder {
    /// "What is the capital of Texas?", with any number of topics and states; "Is Houston the capital of Texas?"
    func facts() -> Interpretation? {
        let hasWhere = segment.has(.place)
        var asked = segment
        if asked.topics.isEmpty, hasWhere, segment.values.isEmpty, let position = segment.positions(.place).first {
            guard asksOnlyWhere else { return nil }
            asked.topics = [.init(position: position, topic: .location)]
            asked.explained.insert(position)
        }
        guard !asked.topics.isEmpty, !rows.isEmpty else { return cityInState() }
        // Overview beside a topic ("tell me about the bird of Texas") is only a way to ask.
        let pairs = TopicPairing.pairs(in: asked, carried: carried)
        guard !pairs.isEmpty else { return nil }
        let topics = Set(pairs.map(\.topic))
        var explained = asked.explained
        if topics.contains(.admission) {
            explained.formUnion(all { $0 == .time || $0 == .becoming })
            explained.formUnion(segment.range.filter { segment.text($0) == "how" && isAge(after: $0) })
            explained.formUnion(numberAsked())
            for position in segment.positions(.time) where segment.text(position - 1) == "many" {
                explained.formUnion([position - 1, position - 2])
            }
        }
        if !topics.isDisjoint(with: [.capital, .largestCity, .location]) {
            explained.formUnion(segment.positions(.place))
            explained.formUnion(all { $0 == .city || $0 == .seat && topics.contains(.capital) })
        }
        explained.formUnion(howIsItCalled())
        explained.formUnion(segment.whoKnows)
        var checked = check(pairs)
        if pairs.count == 1, pairs[0].topic == .admission, let day = checkDay(pairs[0].row) {
            checked.verdict = day.verdict
            explained.formUnion(day.range)
        }
        // A wish to have something said is not a question.
        if !segment.values.isEmpty, segment.says("say", "saying") { return nil }
        if checked.verdict == "No, ", segment.says("tell", "give", "answer") { return nil }
        explained.formUnion(checked.explained)
        var sentences = pairs.map { AnswerWriter.facts($0.topic, of: $0.row) }
        if let verdict = checked.verdict, pairs.count == 1 {
            let starts =
                sentences[0].hasPrefix("The ")
                ? sentences[0].prefix(1).lowercased() : sentences[0].prefix(1).description
            sentences = [verdict + starts + sentences[0].dropFirst()]
        }
        let names = pairs.map { "\($0.topic.name) of \(AnswerWriter.name($0.row))" }
        var unique: [Int] = []
        for pair in pairs where !unique.contains(pair.row) { unique.append(pair.row) }
        return Interpretation(
            intent: (checked.verdict == nil ? "" : "is it so: ") + AnswerWriter.list(names), sentences: sentences,
            rows: unique, plainness: segment.rows.isEmpty ? 0.95 : 1, explained: explained,
            unusedNames: checked.unused)
    }

    /// "Where is Texas?", but not "Where can I get help in Texas?"
    private var asksOnlyWhere: Bool {
        let small: Set<String> = [
            "is", "are", "was", "the", "a", "an", "on", "of", "in", "do", "does", "can", "could", "would", "should",
            "i", "you",
            "we", "one", "find", "found", "see", "look", "for", "exactly", "precisely", "at", "it", "this", "that",
            "please",
            "and", "or", "tell", "show", "me", "us", "say", "know", "be", "to", "know", "want", "so", "ok", "okay",
            "hey", "hi",
            "hello", "um", "uh", "actually", "even", "again", "thanks", "thank", "help", "like", "need", "its", "their",
        ]
        for position in segment.range where segment.words[position].mention == nil {
            switch segment.words[position].role {
            case .place, .state, .country, .overview: continue
            case .function where small.contains(segment.text(position)):
                // "In" belongs to the question only before the country or the map: "where in the US is Ohio".
                let next = position + 1
                guard segment.text(position) == "in", segment.range.contains(next), segment.words[next].mention != nil
                else { continue }
                return false
            case .function where position < (segment.positions(.place).first ?? 0): continue
            default: return false
            }
        }
        return true
    }

    /// "Did Texas join the Union in 1845?"
    private func checkDay(_ row: Int) -> (verdict: String, range: Range<Int>)? {
        guard !segment.has(.time), segment.positions(.relation).isEmpty,
            let said = DateMention.first(in: segment.words.map(\.text), segment.range), relation(of: said) != nil,
            let day = StateTable.rows[row].admission
        else { return nil }
        return (said.matches(day) ? "Yes, " : "No, ", said.range)
    }

    private func isAge(after position: Int) -> Bool { ["long", "old"].contains(segment.text(position + 1)) }

    /// "Which number was Texas to join?", "in what order".
    private func numberAsked() -> Set<Int> {
        all { $0 == .asking }.filter { ["number", "order", "rank"].contains(segment.text($0)) }
    }

    /// "How is it called", "how do you call": the wording of speakers whose own languages ask so.
    private func howIsItCalled() -> Set<Int> {
        guard segment.says("called", "call", "calls", "named", "name") else { return [] }
        return all { $0 == .asking }.filter { segment.text($0) == "how" }
    }

    /// Compares the values named with those that are asked for.
    private func check(_ pairs: [(topic: Topic, row: Int)])
        -> (verdict: String?, unused: [Range<Int>], explained: Set<Int>)
    {
        let cityTopics: Set<Topic> = [.capital, .largestCity]
        let asksCity = pairs.contains { cityTopics.contains($0.topic) }
        let others = asksCity ? segment.positions(.otherCity) : []
        var isRight = false
        var isWrong = !others.isEmpty
        var unused: [Range<Int>] = []
        for value in segment.values {
            let matching = pairs.filter { pair in
                !value.meaning.owners(for: pair.topic).isEmpty
                    || (value.meaning.isCity && cityTopics.contains(pair.topic))
            }
            guard !matching.isEmpty, segment.topics.count > 0 else {
                unused.append(value.range)
                continue
            }
            if matching.contains(where: { value.meaning.owners(for: $0.topic).contains($0.row) }) {
                isRight = true
            } else {
                isWrong = true
            }
        }
        // A sentence that only asserts something is not a question to confirm.
        let verdict = isRight == isWrong || asksForChoice ? nil : isRight ? "Yes, " : "No, "
        return (verdict, unused, Set(others))
    }

    /// "Which is the capital: Houston or Austin?" is answered by neither yes nor no.
    private var asksForChoice: Bool {
        let closed: Set<String> = ["no", "false", "wrong", "not", "am"]
        return segment.says("which", "what")
            || segment.range.contains { segment.text($0) == "or" && !closed.contains(segment.text($0 + 1)) }
    }

    /// "Where is Austin, Texas?", "Is Austin in Texas?": true only when the city is known to be there.
    private func cityInState() -> Interpretation? {
        guard segment.topics.isEmpty, segment.rows.count == 1, let row = segment.rows.first, segment.values.count == 1,
            let value = segment.values.first, value.meaning.isCity, value.meaning.allOwners.contains(row)
        else { return nil }
        let isAsked = segment.has(.place) || segment.says("is") || segment.range.count == value.range.count + 1
        guard isAsked, !segment.says("from", "to", "at") else { return nil }
        var topics: [Topic] = []
        if value.meaning.capitals.contains(row) { topics.append(.capital) }
        if value.meaning.largestCities.contains(row) { topics.append(.largestCity) }
        return Interpretation(
            intent: "a city in a state",
            sentences: [
                (segment.text(segment.range.lowerBound) == "is" ? "Yes, " : "") + IntentFinder.citySentence(row, topics)
            ], rows: [row],
            plainness: 0.9, explained: Set(segment.positions(.place) + segment.positions(.city)), allowsContext: false)
    }

    /// "Austin is the capital of Texas.", "Boise is the capital and the largest city of Idaho."
    static func citySentence(_ row: Int, _ topics: [Topic]) -> String {
        let city = AnswerWriter.value(topics.first ?? .capital, of: row) ?? ""
        let roles = AnswerWriter.list(topics.map { "the \($0.name)" })
        return "\(city) is \(roles) of \(AnswerWriter.name(row))."
    }
}
