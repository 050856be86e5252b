// SPDX-License-Identifier: MIT

import Domain

/// Takes a question through every step from its letters to the verdict, and keeps a record of the steps.
struct QuestionJudge {
    let reader: QuestionReader
    /// One line a step.
    private(set) var steps: [String] = []

    init(reader: QuestionReader) { self.reader = reader }

    /// The answer, or the refusal.
    mutating func judge(_ text: String) -> Result<StateAnswer, DomainError> {
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            steps.append("verdict: refused, there is no question")
            return .failure(.emptyQuery)
        }
        let question = Tokeniser.tokenise(text)
        if let oddity = question.oddity { return refuse(oddity) }
        guard !question.tokens.isEmpty else { return refuse("it has no words") }
        let reading = reader.read(question)
        describe(reading)
        if let reason = Guardrail.objection(to: reading) { return refuse(reason) }
        return combine(reading)
    }

    private mutating func combine(_ reading: QuestionReading) -> Result<StateAnswer, DomainError> {
        let segments = Segmenter.split(reading).map { range in
            TopicSpotter.spot(in: QuestionSegment(reading: reading, range: range))
        }
        var sentences: [String] = []
        var rows: [Int] = []
        var confidence = 1.0
        var carried: [Int] = []
        var carriedTopics: [QuestionSegment.Asked] = []
        for (index, whole) in segments.enumerated() {
            var segment = whole
            if segment.range.count < reading.words.count { steps.append("part: \"\(words(of: segment))\"") }
            if let objection = segment.objection { return refuse(objection) }
            if carried.isEmpty { carried = segments[index...].first { !$0.rows.isEmpty }?.rows ?? [] }
            // A state that the next part asks about is its subject, not a question of its own.
            if isSubject(segment), index + 1 < segments.count, segments[index + 1].rows.isEmpty {
                carried = segment.rows
                steps.append("intent: names the subject of what follows")
                if let reason = leftover(in: segment) { return refuse(reason) }
                continue
            }
            if isSubject(segment), !segment.asksForEverything {
                // "And Ohio?" after a question asks the same of Ohio.
                segment.topics = carriedTopics.map { .init(position: segment.range.lowerBound, topic: $0.topic) }
            }
            guard let found = IntentFinder(segment: segment, carried: carried).find() else {
                return refuse("nothing in it is a question about what is known of a state")
            }
            steps.append("intent: \(found.intent)")
            let score = QuestionScorer.score(found, of: segment, mentions: reading.mentions)
            steps.append("score: \(QuestionScorer.rounded(score.value)) = 1 \(score.factors.joined(separator: ", "))")
            guard score.value >= QuestionScorer.threshold else {
                return refuse("\(QuestionScorer.rounded(score.value)) is below \(QuestionScorer.threshold)")
            }
            if let missing = found.missing {
                steps.append("verdict: understood, but without an answer: \(missing)")
                return .failure(.generationFailed(missing))
            }
            for sentence in found.sentences where !sentences.contains(sentence) { sentences.append(sentence) }
            for row in found.rows where !rows.contains(row) { rows.append(row) }
            confidence = min(confidence, score.value)
            carried = found.rows
            carriedTopics = segment.topics
        }
        guard let first = rows.first, !sentences.isEmpty else { return refuse("it names no state and no fact") }
        steps.append("verdict: answered, \(QuestionScorer.rounded(confidence)) is at least \(QuestionScorer.threshold)")
        return .success(
            StateAnswer(
                text: sentences.joined(separator: " "), state: StateTable.rows[first],
                others: rows.dropFirst().map { StateTable.rows[$0] }, confidence: confidence))
    }

    /// Whether it only names states.
    private func isSubject(_ segment: QuestionSegment) -> Bool {
        !segment.places.isEmpty && segment.topics.isEmpty && segment.values.isEmpty
    }

    private func leftover(in segment: QuestionSegment) -> String? {
        let empty = Interpretation(intent: "subject", sentences: [], rows: [], plainness: 1)
        let score = QuestionScorer.score(empty, of: segment, mentions: [])
        return score.value < QuestionScorer.threshold ? score.factors.last : nil
    }

    private mutating func refuse(_ reason: String) -> Result<StateAnswer, DomainError> {
        steps.append("verdict: refused, \(reason)")
        return .failure(.invalidQuery)
    }

    private func words(of segment: QuestionSegment) -> String {
        segment.words[segment.range].map(\.text).joined(separator: " ")
    }

    private mutating func describe(_ reading: QuestionReading) {
        let described = reading.words.map { word -> String in
            let role = word.mention == nil ? word.role?.description ?? "unknown" : "name"
            return word.distance > 0 ? "\(word.token.text)~\(word.text) (\(role))" : "\(word.text) (\(role))"
        }
        steps.append("words: " + described.joined(separator: ", "))
        for mention in reading.mentions {
            steps.append("name: \"\(mention.key)\" (\(mention.distance) edits) \(Self.describe(mention.meaning))")
        }
    }

    private static func describe(_ meaning: NameMeaning) -> String {
        let kinds: [(String, [Int])] = [
            ("state", meaning.states), ("capital of", meaning.capitals), ("largest city of", meaning.largestCities),
            ("bird of", meaning.birds), ("flower of", meaning.flowers),
        ]
        return kinds.filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.map { StateTable.rows[$0].abbreviation }.joined(separator: " "))" }
            .joined(separator: ", ")
    }
}
