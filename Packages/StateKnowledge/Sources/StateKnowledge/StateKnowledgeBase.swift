// SPDX-License-Identifier: MIT

public import Domain

/// Knows the facts of `StateInformation` about the fifty states and the District of Columbia, and answers questions
/// about them in English. Nothing leaves the process.
///
/// A question is cut into words, names and topics are found in it (misspelt ones too), and one scorer measures how much
/// of it is explained. A score below the threshold, or another subject, leads to a refusal.
public struct StateKnowledgeBase: Assistant {
    /// The questions before one that are read for its subject.
    private static let memory = 8

    private let reader: QuestionReader

    /// Makes the knowledge base; takes about a millisecond, for the indexes.
    public init() {
        reader = QuestionReader(names: NameIndex(), vocabulary: Vocabulary())
    }

    /// Every state in alphabetical order, the District of Columbia last.
    public let states: [StateInformation] = StateTable.rows

    /// The state with a name, a postal or traditional abbreviation, or a misspelling of a name; `nil` if no state or
    /// several states match.
    public func state(named name: String) -> StateInformation? {
        let question = Tokeniser.tokenise(name)
        guard question.oddity == nil, !question.tokens.isEmpty else { return nil }
        let joined = question.tokens.map(\.text).joined()
        if let row = reader.names.abbreviations[joined] { return states[row] }
        let mentions = reader.read(question).mentions
        guard mentions.count == 1, mentions[0].range == question.tokens.indices, mentions[0].meaning.states.count == 1
        else {
            return nil
        }
        return states[mentions[0].meaning.states[0]]
    }

    /// Answers a question by itself, at once.
    ///
    /// - Throws: `DomainError.emptyQuery`, `DomainError.invalidQuery` for a question that is not about known facts of
    ///   states, or `DomainError.generationFailed` for one that is, but has no answer ("which states joined in 1900").
    public func answer(_ question: String) throws(DomainError) -> AssistantAnswer {
        try answer(question, after: [])
    }

    /// See `Assistant`. A question that leaves out its topic or its state has those of the questions before it: "And
    /// Texas?" after "capital of Ohio".
    public func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        try answer(question.text, after: question.earlierQuestions.prefix(Self.memory).reversed())
    }

    /// See `Assistant`.
    public func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? {
        try? await answer(question) { _ in }
    }

    /// Answers at once, without suspension.
    ///
    /// - Parameter earlier: The questions before it, the last one last.
    /// - Throws: As ``answer(_:)``.
    public func answer(_ question: String, after earlier: [String]) throws(DomainError) -> AssistantAnswer {
        var judge = QuestionJudge(reader: reader)
        return try judge.judge(question, after: subject(of: earlier)).get()
    }

    /// The words with their look-up's results, the names with their distances, the intent, the score with its factors,
    /// and the verdict with its reason.
    public func explain(_ question: String, after earlier: [String] = []) -> [String] {
        var judge = QuestionJudge(reader: reader)
        _ = judge.judge(question, after: subject(of: earlier))
        return judge.steps
    }

    /// The subject of the last of these questions that has one.
    private func subject(of questions: [String]) -> QuestionJudge.Context {
        questions.reduce(QuestionJudge.Context()) { context, question in
            var judge = QuestionJudge(reader: reader)
            guard case .success = judge.judge(question, after: context) else { return context }
            return judge.context
        }
    }
}
