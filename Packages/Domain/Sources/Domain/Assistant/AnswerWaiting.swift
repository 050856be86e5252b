// SPDX-License-Identifier: MIT

/// Answers the questions that wait for a model, each exactly once, and stores the answers in their conversations.
public struct AnswerWaiting: Sendable {
    /// An event of a question.
    public enum Event: Sendable {
        /// It is asked now.
        case asked(WaitingQuestion)
        /// Its answer grows.
        case answering(AnswerEvent)
        /// Its answer is stored.
        case answered(WaitingQuestion, AssistantAnswer)
        /// It still has no answer.
        case failed(WaitingQuestion, any Error)
    }

    /// The waits between attempts while the model stays away: the first, doubled each time up to the last.
    static let waits = (first: Duration.seconds(5), last: Duration.seconds(60))

    private let questions: any WaitingQuestions
    private let connectivity: any Connectivity
    private let reason: @Sendable (any Error) -> String
    private let answer: AnswerQuestion
    private let clock: any Clock<Duration>

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - answer: Asks the model, in a conversation of its own for each question.
    ///   - reason: Makes the text for a person from an error that waiting does not mend.
    public init(
        _ questions: any WaitingQuestions, connectivity: any Connectivity, answer: AnswerQuestion,
        clock: any Clock<Duration> = ContinuousClock(), reason: @escaping @Sendable (any Error) -> String
    ) {
        self.questions = questions
        self.connectivity = connectivity
        self.reason = reason
        self.answer = answer
        self.clock = clock
    }

    /// Asks all that waits, until the model turns out to be away.
    ///
    /// - Returns: The number of answers.
    /// - Throws: ``DomainError/storage(_:)``, `CancellationError`.
    public func now(_ report: @escaping @Sendable (Event) async -> Void) async throws -> Int {
        try await questions.answerAll { question in
            await report(.asked(question))
            do {
                let answer = try await answer(kept: question) { await report(.answering($0)) }
                if let answer { await report(.answered(question, answer)) }
                return .answered
            } catch {
                await report(.failed(question, error))
                if error is CancellationError { return .stillWaiting }
                let isPassing = (error as? DomainError).map { $0.isTransient || $0.code == "storage" } ?? false
                return isPassing ? .stillWaiting : .stuck(reason(error))
            }
        }
    }

    /// Asks whatever waits as soon as the model can be tried, until the task is cancelled.
    ///
    /// - Throws: ``DomainError/storage(_:)``, `CancellationError`.
    public func callAsFunction(_ report: @escaping @Sendable (Event) async -> Void) async throws {
        var wait = Self.waits.first
        while true {
            try await questions.untilSomeWait()
            try await connectivity.untilBack()
            if try await now(report) > 0 {
                wait = Self.waits.first
            } else {
                try await clock.sleep(for: wait)
                wait = min(wait * 2, Self.waits.last)
            }
        }
    }
}
