// SPDX-License-Identifier: MIT

import Domain

/// Runs every step from a question's letters to the verdict, and records the steps.
struct QuestionJudge {
    let reader: QuestionReader
    /// One line a step.
    private(set) var steps: [String] = []
    /// The subject of the last question that was answered.
    private(set) var context = Context()

    /// The subject of a question, for the next one that leaves it out: "And Texas?", "And its bird?".
    struct Context: Equatable {
        var rows: [Int] = []
        var topics: [Topic] = []
    }

    init(reader: QuestionReader) { self.reader = reader }

    /// The answer, or the refusal.
    ///
    /// With a subject of an earlier question, one that begins like "And Texas?" is about the same topic; one that is
    /// refused by itself may be about the same states.
    mutating func judge(_ text: String, after earlier: Context) -> Result<AssistantAnswer, DomainError> {
        guard earlier != Context() else { return judge(text) }
        if Self.goesOn(text) {
            var whole = self
            let result = whole.judge(text, with: earlier)
            if case .success = result {
                self = whole
                return result
            }
        }
        var alone = self
        let result = alone.judge(text)
        if case .failure(.invalidQuery) = result {
            var whole = self
            let second = whole.judge(text, with: earlier)
            if case .success = second {
                self = whole
                return second
            }
        }
        self = alone
        return result
    }

    /// The answer to a question by itself, or the refusal.
    mutating func judge(_ text: String) -> Result<AssistantAnswer, DomainError> { judge(text, with: Context()) }

    /// True if the text begins like one that goes on about a topic.
    private static func goesOn(_ text: String) -> Bool {
        let words = text.lowercased().split { !$0.isLetter }.prefix(2)
        guard let first = words.first else { return false }
        return first == "and" || ["what about", "how about"].contains(words.joined(separator: " "))
    }

    private mutating func judge(_ text: String, with earlier: Context) -> Result<AssistantAnswer, DomainError> {
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            steps.append("verdict: refused, there is no question")
            return .failure(.emptyQuery)
        }
        let question = Tokeniser.tokenise(text)
        if let oddity = question.oddity { return refuse(oddity) }
        guard !question.tokens.isEmpty else { return refuse("it has no words") }
        let reading = reader.read(question)
        describe(reading)
        let everyday = reader.vocabulary.everyday
        if let reason = Guardrail.objection(to: reading, tolerating: everyday) { return refuse(reason) }
        return combine(reading, earlier)
    }

    private mutating func combine(
        _ reading: QuestionReading, _ earlier: Context
    ) -> Result<AssistantAnswer, DomainError> {
        let segments = Segmenter.split(reading).map { range in
            TopicSpotter.spot(in: QuestionSegment(reading: reading, range: range))
        }
        var sentences: [String] = []
        var rows: [Int] = []
        var confidence = 1.0
        var carried = earlier.rows
        var carriedTopics = earlier.topics.map { QuestionSegment.Asked(position: 0, topic: $0) }
        for (index, whole) in segments.enumerated() {
            var segment = whole
            if segment.range.count < reading.words.count { steps.append("part: \"\(words(of: segment))\"") }
            if carried.isEmpty { carried = segments[index...].first { !$0.rows.isEmpty }?.rows ?? [] }
            // A state before the next part's question is its subject, not another question.
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
            let understood: Understood
            switch understand(segment, carried, reading) {
            case .success(let found): understood = found
            case .failure(let reason):
                guard let framed = understandInFrame(segment, reading) else { return refuse(reason.text) }
                understood = framed
            }
            let (found, score) = (understood.interpretation, understood.score)
            segment = understood.segment
            steps.append("intent: \(found.intent)")
            steps.append("score: \(QuestionScorer.rounded(score.value)) = 1 \(score.factors.joined(separator: ", "))")
            if let missing = found.missing {
                steps.append("verdict: understood, but without an answer: \(missing)")
                return .failure(.generationFailed(Sentence(verbatim: missing)))
            }
            for sentence in found.sentences where !sentences.contains(sentence) { sentences.append(sentence) }
            for row in found.rows where !rows.contains(row) { rows.append(row) }
            confidence = min(confidence, score.value)
            carried = found.rows
            carriedTopics = segment.topics
        }
        guard !rows.isEmpty, !sentences.isEmpty else { return refuse("it names no state and no fact") }
        steps.append("verdict: answered, \(QuestionScorer.rounded(confidence)) is at least \(QuestionScorer.threshold)")
        context = Context(rows: carried, topics: carriedTopics.map(\.topic))
        return .success(
            AssistantAnswer(
                text: sentences.joined(separator: " "), source: .states, confidence: confidence,
                states: rows.map { StateTable.rows[$0] }))
    }

    /// A question with its interpretation.
    private struct Understood {
        let segment: QuestionSegment
        let interpretation: Interpretation
        let score: QuestionScorer.Score
    }

    /// The reason for a refusal.
    private struct Refusal: Error {
        let text: String
    }

    private func understand(_ segment: QuestionSegment, _ carried: [Int], _ reading: QuestionReading)
        -> Result<Understood, Refusal>
    {
        if let objection = segment.objection { return .failure(Refusal(text: objection)) }
        for position in segment.range {
            guard case .refused(let subject)? = segment.words[position].role else { continue }
            return .failure(Refusal(text: "\"\(segment.text(position))\" shows \(subject.rawValue)"))
        }
        guard let found = IntentFinder(segment: segment, carried: carried).find() else {
            return .failure(Refusal(text: "nothing in it is a question about what is known of a state"))
        }
        let score = QuestionScorer.score(found, of: segment, mentions: reading.mentions)
        guard score.value >= QuestionScorer.threshold else {
            let value = QuestionScorer.rounded(score.value)
            let factors = score.factors.joined(separator: ", ")
            return .failure(Refusal(text: "\(value) = 1 \(factors) is below \(QuestionScorer.threshold)"))
        }
        return .success(Understood(segment: segment, interpretation: found, score: score))
    }

    /// The question without its frame. The rest must be complete by itself: a state's name alone is not.
    private mutating func understandInFrame(_ segment: QuestionSegment, _ reading: QuestionReading) -> Understood? {
        let frame = QuestionFrame(reading: reading, whole: segment.range)
        for range in frame.cores() {
            let core = TopicSpotter.spot(in: QuestionSegment(reading: reading, range: range))
            guard core.hasContent, let strangers = frame.strangers(around: range),
                case .success(let found) = understand(core, [], reading), !found.interpretation.isBareName
            else { continue }
            let score = QuestionScorer.score(found.score, strangers: strangers.map { reading.words[$0].text })
            guard score.value >= QuestionScorer.threshold else { continue }
            steps.append("core: \"\(words(of: core))\"")
            return Understood(segment: core, interpretation: found.interpretation, score: score)
        }
        return nil
    }

    /// True if it only names states.
    private func isSubject(_ segment: QuestionSegment) -> Bool {
        !segment.places.isEmpty && segment.topics.isEmpty && segment.values.isEmpty
    }

    private func leftover(in segment: QuestionSegment) -> String? {
        let empty = Interpretation(intent: "subject", sentences: [], rows: [], plainness: 1)
        let score = QuestionScorer.score(empty, of: segment, mentions: [])
        return score.value < QuestionScorer.threshold ? score.factors.last : nil
    }

    private mutating func refuse(_ reason: String) -> Result<AssistantAnswer, DomainError> {
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
