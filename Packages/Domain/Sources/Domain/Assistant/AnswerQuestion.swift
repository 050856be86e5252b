// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Answers one question and stores the question and its answer.
public struct AnswerQuestion: Sendable {
    /// The longest accepted question, in characters, unless another limit is given.
    public static let questionLimit = 500

    private let assistant: any Assistant
    private let conversations: any ConversationRepository
    private let device: String?
    private let questionLimit: Int
    /// Makes the text for a person from an error.
    let wording: @Sendable (DomainError) -> String
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - device: The name of this machine, for what is stored.
    ///   - questionLimit: The longest accepted question, in characters.
    ///   - wording: Makes the text of an error, which is stored, shown and spoken in place of an answer.
    ///   - clock: Measures the time in which an answer that grows is stored.
    ///   - now: The wall clock.
    public init(
        assistant: any Assistant, conversations: any ConversationRepository, device: String? = nil,
        questionLimit: Int = AnswerQuestion.questionLimit, wording: @escaping @Sendable (DomainError) -> String,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.assistant = assistant
        self.conversations = conversations
        self.device = device
        self.questionLimit = questionLimit
        self.wording = wording
        self.clock = clock
        self.now = now
    }

    /// Answers a typed question. Question and answer (or refusal) are stored, both or neither, before this returns; an
    /// answer that takes longer is stored as it grows.
    ///
    /// An answer that is broken off, by cancellation or a failure, stays as far as it came.
    ///
    /// - Parameter report: Gets each event of the assistant.
    /// - Throws: ``DomainError/emptyQuery`` and ``DomainError/queryTooLong(limit:)`` (nothing is stored),
    ///   ``DomainError/invalidQuery`` or another error of the assistant (stored), ``DomainError/storage(_:)`` (an
    ///   answer that could not be stored is not returned), `CancellationError`.
    public func callAsFunction(
        _ question: String, of turn: TurnID, in ongoing: OngoingConversation,
        report: @escaping @Sendable (AnswerEvent) async throws -> Void = { _ in }
    ) async throws -> AssistantAnswer {
        let asked = message(.user, question, of: turn, in: ongoing, modality: .text)
        return try await answer(asked, isStored: false, in: ongoing, report: report)
    }

    /// Answers a spoken question: its words are stored, then reported, then answered; the answer is stored before this
    /// returns.
    func callAsFunction(
        spoken question: Transcript, of turn: TurnID, in ongoing: OngoingConversation,
        report: @escaping @Sendable (TurnEvent) async -> Void
    ) async throws -> AssistantAnswer {
        let asked = message(.user, question.text, of: turn, in: ongoing, modality: .voice)
        try await conversations.append([asked], to: ongoing.conversation)
        await report(.transcript(question))
        let isReady = FirstTime()
        let answer = try await answer(asked, isStored: true, in: ongoing) { event in
            if case .delta = event, await isReady.pass() { await report(.reached(.answerReady, at: .now)) }
            await report(.answering(event))
        }
        if await isReady.pass() { await report(.reached(.answerReady, at: .now)) }
        return answer
    }

    /// Stores how much of the answer of a turn a person heard before it was cut off.
    ///
    /// - Parameter characters: The number of characters that were heard.
    func wasInterrupted(_ turn: TurnID, in ongoing: OngoingConversation, heard characters: Int) async throws {
        guard var answer = await ongoing.answer(of: turn), characters < answer.text.count else { return }
        answer.state = .interrupted(heard: characters)
        let kept = answer
        // The task is cancelled: that is why.
        try await Task {
            try await conversations.save(kept, in: ongoing.conversation)
            await ongoing.note([kept])
        }.value
    }

    private func answer(
        _ asked: Message, isStored: Bool, in ongoing: OngoingConversation,
        report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        guard asked.text.contains(where: { !$0.isWhitespace }) else { throw DomainError.emptyQuery }
        guard asked.text.count <= questionLimit else { throw DomainError.queryTooLong(limit: questionLimit) }
        let question = AssistantQuestion(
            asked.text, turn: asked.turn, conversation: ongoing.conversation.id, modality: asked.modality,
            earlier: await ongoing.messages)
        if isStored { await ongoing.note([asked]) }
        let growing = GrowingAnswer(
            asked: isStored ? [] : [asked],
            answer: message(.assistant, "", of: asked.turn, in: ongoing, modality: asked.modality),
            conversations: conversations, ongoing: ongoing, now: now)
        let storing = Task { [clock] in await growing.keepStoring(by: clock) }
        let result: Result<AssistantAnswer, any Error>
        do {
            result = .success(
                try await assistant.answer(question) { event in
                    try await growing.take(event)
                    try await report(event)
                })
        } catch { result = .failure(error) }
        storing.cancel()
        await storing.value
        switch result {
        case .success(let answer):
            try await growing.finish { message in
                message.text = answer.text
                message.source = answer.source
                message.usage = answer.usage
            }
            return answer
        case .failure(let error):
            try await keep(growing, after: error)
            throw error
        }
    }

    /// Stores what there is of an answer that ended with an error; the error's text if there is nothing.
    private func keep(_ growing: GrowingAnswer, after error: any Error) async throws {
        let hasText = await !growing.text.isEmpty
        let words = (error as? DomainError).map(wording)
        // A question that was stopped before there was any answer leaves no trace, unless it is stored already.
        guard hasText || words != nil else { return }
        try await growing.finish { message in
            if hasText { message.state = .interrupted(heard: nil) } else { message.text = words ?? "" }
        }
    }

    private func message(
        _ role: Message.Role, _ text: String, of turn: TurnID, in ongoing: OngoingConversation,
        modality: Message.Modality
    ) -> Message {
        Message(
            conversation: ongoing.conversation.id, turn: turn, role: role, modality: modality, text: text,
            createdAt: now(), device: device)
    }
}

/// True for the first caller.
private actor FirstTime {
    private var isOver = false
    func pass() -> Bool {
        defer { isOver = true }
        return !isOver
    }
}
