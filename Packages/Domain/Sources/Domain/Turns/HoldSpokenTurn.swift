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

    /// Holds the turn and reports each event; a reported transcript or answer is already stored. An answer that grows is
    /// spoken while it does.
    ///
    /// A refusal is spoken, then thrown, so that a caller cannot take it for an answer; so is a failure to answer. How
    /// much was heard of an answer that is cut off is stored.
    ///
    /// - Throws: ``DomainError`` or `CancellationError`. Everything stored before stays stored.
    @discardableResult
    public func callAsFunction(
        _ turn: TurnID, in ongoing: OngoingConversation, report: @escaping @Sendable (TurnEvent) async -> Void
    ) async throws -> AssistantAnswer {
        let text = SpeechText()
        let meter = answerQuestion.meter(of: turn, .voice)
        let reached: @Sendable (TurnStage, ContinuousClock.Instant) async -> Void = { stage, instant in
            await meter?.reached(stage, at: instant)
            await report(.reached(stage, at: instant))
        }
        let speech = Task { [speaker] in try await speaker.speak(text, report: reached) }
        return try await withTaskCancellationHandler {
            let result = await answer(turn, in: ongoing, into: text, meter, reached, report: report)
            if case .failure(let error) = result, (error as? DomainError)?.isSpokenOf != true { speech.cancel() }
            let spoken = await speech.result
            await meter?.spoken()
            if case .success(let heard?) = spoken {
                try await answerQuestion.wasInterrupted(turn, in: ongoing, heard: heard)
            }
            let answer = try result.get()
            if try spoken.get() != nil { throw CancellationError() }
            return answer
        } onCancel: {
            speech.cancel()
        }
    }

    /// Hears a question and answers it; an error that is spoken of is reported and put into `text`.
    private func answer(
        _ turn: TurnID, in ongoing: OngoingConversation, into text: SpeechText, _ meter: TurnMeter?,
        _ reached: @escaping @Sendable (TurnStage, ContinuousClock.Instant) async -> Void,
        report: @escaping @Sendable (TurnEvent) async -> Void
    ) async -> Result<AssistantAnswer, any Error> {
        do {
            let question = try await hear(in: ongoing, reached, report: report)
            let answer = try await answerQuestion(spoken: question, of: turn, in: ongoing, meter) { event in
                await report(event)
                if case .answering(.delta(let piece)) = event { await text.add(piece) }
            }
            await report(.answer(answer))
            await text.finish(answer.text)
            return .success(answer)
        } catch {
            // A turn that is cancelled before it has a question is not counted.
            if error is DomainError { await meter?.ended(TurnOutcome(error)) }
            if let error = error as? DomainError, error.isSpokenOf {
                await report(.refused(error))
                await text.add(answerQuestion.wording(error))
            }
            await text.finish()
            return .failure(error)
        }
    }

    private func hear(
        in ongoing: OngoingConversation,
        _ reached: @escaping @Sendable (TurnStage, ContinuousClock.Instant) async -> Void,
        report: @escaping @Sendable (TurnEvent) async -> Void
    ) async throws -> Transcript {
        let foresight = Foresight(answerQuestion, speaker)
        let question = try await listener.listen { event in
            switch event {
            case .foreseen(let question): await foresight.expect(question, in: ongoing)
            case .reached(let stage, let instant): await reached(stage, instant)
            case .level(let level): await report(.level(level))
            case .draft(let words): await report(.draft(words))
            }
        }
        await foresight.forget()
        return question
    }
}
