// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Answers one question and stores the question and its answer.
public struct AnswerQuestion: Sendable {
    /// The longest accepted question, in characters, unless another limit is given.
    public static let questionLimit = 500
    /// The longest accepted question that is spoken, in characters, unless a higher limit is given: five minutes of fast
    /// speech.
    public static let spokenQuestionLimit = 8_000

    private let assistant: any Assistant
    private let conversations: any ConversationRepository
    private let device: String?
    private let questionLimit: Int
    /// Makes the text for a person from an error.
    let wording: @Sendable (DomainError) -> String
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let keep: (@Sendable (WaitingQuestion) async throws -> Void)?
    private let statistics: (any TurnStatistics)?

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - device: The name of this machine, for what is stored.
    ///   - questionLimit: The longest accepted question, in characters, if it is typed.
    ///   - wording: Makes the text of an error, which is stored, shown and spoken in place of an answer.
    ///   - clock: Measures the time in which an answer that grows is stored.
    ///   - now: The wall clock.
    ///   - statistics: Gets a measurement of each turn; its errors cost nothing. Nil to measure nothing.
    ///   - keep: Keeps a question that only a model can answer and that it cannot answer now, as
    ///     ``WaitingQuestions/keep(_:)`` does; nil to give it up.
    public init(
        assistant: any Assistant, conversations: any ConversationRepository, device: String? = nil,
        questionLimit: Int = AnswerQuestion.questionLimit, wording: @escaping @Sendable (DomainError) -> String,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        statistics: (any TurnStatistics)? = nil, keep: (@Sendable (WaitingQuestion) async throws -> Void)? = nil
    ) {
        self.assistant = assistant
        self.conversations = conversations
        self.device = device
        self.questionLimit = questionLimit
        self.wording = wording
        self.clock = clock
        self.now = now
        self.statistics = statistics
        self.keep = keep
    }

    /// Answers a typed question. Question and answer (or refusal) are stored, both or neither, before this returns; an
    /// answer that takes longer is stored as it grows.
    ///
    /// An answer that is broken off, by cancellation or a failure, stays as far as it came.
    ///
    /// - Parameter report: Gets each event of the assistant.
    /// - Throws: ``DomainError/emptyQuery`` and ``DomainError/queryTooLong(limit:)`` (nothing is stored),
    ///   ``DomainError/invalidQuery`` or another error of the assistant (stored), ``DomainError/keptForLater(_:)``,
    ///   ``DomainError/storage(_:)`` (an answer that could not be stored is not returned), `CancellationError`.
    public func callAsFunction(
        _ question: String, of turn: TurnID, in ongoing: OngoingConversation,
        report: @escaping @Sendable (AnswerEvent) async throws -> Void = { _ in }
    ) async throws -> AssistantAnswer {
        let asked = message(.user, question, of: turn, in: ongoing, modality: .text)
        let meter = meter(of: turn, .text, startedAt: asked.createdAt)
        return try await measured(by: meter) {
            try await answer(asked, isStored: false, in: ongoing, meter, report: report)
        }
    }

    /// Answers a spoken question: its words are stored, then reported, then answered; the answer is stored before this
    /// returns.
    ///
    /// - Parameter meter: Measures the turn, and gets its outcome.
    func callAsFunction(
        spoken question: Transcript, of turn: TurnID, in ongoing: OngoingConversation, _ meter: TurnMeter?,
        report: @escaping @Sendable (TurnEvent) async -> Void
    ) async throws -> AssistantAnswer {
        let asked = message(.user, question.text, of: turn, in: ongoing, modality: .voice)
        return try await measured(by: meter) {
            try await conversations.append([asked], to: ongoing.conversation)
            await report(.transcript(question))
            let isReady = FirstTime()
            let markReady: @Sendable () async -> Void = {
                guard await isReady.pass() else { return }
                let instant = ContinuousClock.now
                await meter?.reached(.answerReady, at: instant)
                await report(.reached(.answerReady, at: instant))
            }
            let answer = try await answer(asked, isStored: true, in: ongoing, meter) { event in
                if case .delta = event { await markReady() }
                await report(.answering(event))
            }
            await markReady()
            return answer
        }
    }

    /// Measures a turn that begins now; nil without statistics.
    func meter(of turn: TurnID, _ modality: Message.Modality, startedAt: Date? = nil) -> TurnMeter? {
        statistics.map { TurnMeter(turn, modality, startedAt: startedAt ?? now(), in: $0, now: now) }
    }

    private func measured(
        by meter: TurnMeter?, _ body: () async throws -> AssistantAnswer
    ) async throws -> AssistantAnswer {
        do {
            let answer = try await body()
            await meter?.ended(.answered)
            return answer
        } catch {
            await meter?.ended(TurnOutcome(error))
            throw error
        }
    }

    /// The text of the answer to words that are perhaps a question, if it costs nothing and has no effect. Nothing is
    /// stored.
    func foresee(_ question: Transcript, in ongoing: OngoingConversation?) async -> String? {
        guard question.text.count <= limit(of: .voice) else { return nil }
        let earlier = await ongoing?.messages ?? []
        return await assistant.foresee(AssistantQuestion(question.text, modality: .voice, earlier: earlier))?.text
    }

    /// Answers a question that was kept. The answer replaces what its turn has in place of one.
    ///
    /// - Returns: Nil if it has an answer already.
    /// - Throws: As for a typed question; what there was instead of an answer stays.
    func callAsFunction(
        kept question: WaitingQuestion, report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer? {
        let messages = try await conversations.messages(in: question.conversation.id)
        let own = messages.filter { $0.turn == question.turn }
        let placeholder = own.last { $0.role == .assistant }
        guard placeholder?.source == nil || placeholder?.state != .whole else { return nil }
        let ongoing = OngoingConversation(
            question.conversation, messages: Array(messages.prefix { $0.turn != question.turn }))
        let asked =
            own.first { $0.role == .user }
            ?? Message(
                conversation: question.conversation.id, turn: question.turn, role: .user,
                modality: question.modality, text: question.text, createdAt: question.askedAt, device: device)
        let isStored = own.contains { $0.id == asked.id }
        let meter = meter(of: question.turn, question.modality, startedAt: question.askedAt)
        let answer = try await answer(
            asked, isStored: isStored, over: placeholder, in: ongoing, meter, report: report)
        // Without an answer the outcome stays: the question is kept.
        await meter?.ended(.answered)
        return answer
    }

    /// Stores how much of the answer of a turn a person heard before it was cut off.
    ///
    /// - Parameter characters: The number of characters that were heard.
    func wasInterrupted(_ turn: TurnID, in ongoing: OngoingConversation, heard characters: Int) async throws {
        guard var answer = await ongoing.answer(of: turn), answer.isAnswer, characters < answer.text.count else {
            return
        }
        answer.state = .interrupted(heard: characters)
        let kept = answer
        // The task is cancelled: that is why.
        try await Task {
            try await conversations.save(kept, in: ongoing.conversation)
            await ongoing.note([kept])
        }.value
    }

    private func limit(of modality: Message.Modality) -> Int {
        modality == .voice ? max(questionLimit, Self.spokenQuestionLimit) : questionLimit
    }

    private func answer(
        _ asked: Message, isStored: Bool, over placeholder: Message? = nil, in ongoing: OngoingConversation,
        _ meter: TurnMeter?,
        report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        guard asked.text.contains(where: { !$0.isWhitespace }) else { throw DomainError.emptyQuery }
        let limit = limit(of: asked.modality)
        guard asked.text.count <= limit else { throw DomainError.queryTooLong(limit: limit) }
        let question = AssistantQuestion(
            asked.text, turn: asked.turn, conversation: ongoing.conversation.id, modality: asked.modality,
            earlier: await ongoing.messages)
        if isStored { await ongoing.note([asked]) }
        let growing = GrowingAnswer(
            asked, isStored: isStored,
            answer: message(.assistant, "", of: asked.turn, in: ongoing, modality: asked.modality, over: placeholder),
            replaces: placeholder != nil, conversations: conversations, ongoing: ongoing, now: now)
        let storing = Task { [clock] in await growing.keepStoring(by: clock) }
        let watch = Stopwatch(clock)
        let result: Result<AssistantAnswer, any Error>
        do {
            let answer = try await assistant.answer(question) { event in
                if case .delta = event { await meter?.took(watch.elapsed(), for: .answer) }
                try await growing.take(event)
                try await report(event)
            }
            let duration = watch.elapsed()
            for latency in [TurnLatency.answer, .wholeAnswer] { await meter?.took(duration, for: latency) }
            result = .success(answer)
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
            let error = await kept(asked, in: ongoing, after: error)
            try await store(growing, after: error, over: placeholder)
            throw error
        }
    }

    /// Keeps a question that may have an answer later.
    ///
    /// - Returns: The error for the person.
    private func kept(
        _ asked: Message, in ongoing: OngoingConversation, after error: any Error
    ) async -> any Error {
        guard let keep, let failure = error as? DomainError, failure.isTransient else { return error }
        do {
            try await keep(
                WaitingQuestion(
                    turn: asked.turn, conversation: ongoing.conversation, text: asked.text, modality: asked.modality,
                    askedAt: asked.createdAt))
            return DomainError.keptForLater(failure)
        } catch { return error }
    }

    /// Stores the question, and what there is of an answer that ended with an error; the error's text if there is nothing
    /// and nothing was stored before.
    private func store(_ growing: GrowingAnswer, after error: any Error, over placeholder: Message?) async throws {
        let hasText = await !growing.text.isEmpty
        // A question that was stopped before there was any answer leaves no trace, unless it is stored already.
        guard hasText || (placeholder == nil && !(error is CancellationError)) else { return }
        let words = (error as? DomainError).map(wording)
        try await growing.finish { message in
            if hasText { message.state = .interrupted(heard: nil) } else { message.text = words ?? "" }
        }
    }

    private func message(
        _ role: Message.Role, _ text: String, of turn: TurnID, in ongoing: OngoingConversation,
        modality: Message.Modality, over placeholder: Message? = nil
    ) -> Message {
        Message(
            id: placeholder?.id ?? .init(), conversation: ongoing.conversation.id, turn: turn, role: role,
            modality: modality, text: text,
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
