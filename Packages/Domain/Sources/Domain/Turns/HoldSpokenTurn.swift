// SPDX-License-Identifier: MIT

/// One spoken turn: hear a question, answer it, say the answer.
public struct HoldSpokenTurn: Sendable {
    private let listener: any SpeechListener
    private let speaker: any SpeechSpeaker
    private let answerQuestion: AnswerQuestion

    /// Makes the use case from a listener, a speaker and the answering of questions.
    public init(listener: any SpeechListener, speaker: any SpeechSpeaker, answerQuestion: AnswerQuestion) {
        self.listener = listener
        self.speaker = speaker
        self.answerQuestion = answerQuestion
    }

    /// Holds the turn and reports each event; a reported transcript or answer is already stored.
    ///
    /// A refusal is spoken, then thrown, so that a caller cannot take it for an answer.
    ///
    /// - Throws: ``DomainError`` or `CancellationError`. Everything stored before stays stored.
    @discardableResult
    public func callAsFunction(
        _ turn: TurnID, in conversation: Conversation, report: @Sendable (TurnEvent) async -> Void
    ) async throws -> StateAnswer {
        do {
            let answer = try await hearAndAnswer(turn, in: conversation, report: report)
            await report(.answer(answer))
            try await speak(answer.text, report: report)
            return answer
        } catch let refusal as DomainError where refusal.isRefusal {
            await report(.refused(refusal))
            try await speak(answerQuestion.wording(refusal), report: report)
            throw refusal
        }
    }

    private func hearAndAnswer(
        _ turn: TurnID, in conversation: Conversation, report: @Sendable (TurnEvent) async -> Void
    ) async throws -> StateAnswer {
        let transcript = try await listener.listen { event in
            switch event {
            case .reached(let stage, let instant): await report(.reached(stage, at: instant))
            case .level(let level): await report(.level(level))
            }
        }
        return try await answerQuestion(spoken: transcript, of: turn, in: conversation, report: report)
    }

    private func speak(_ text: String, report: @Sendable (TurnEvent) async -> Void) async throws {
        try await speaker.speak(text) { stage, instant in await report(.reached(stage, at: instant)) }
    }
}
