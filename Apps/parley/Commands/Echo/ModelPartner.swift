// SPDX-License-Identifier: MIT

import Echo

/// A model at a server: holds a ``Conversation`` with it, streams its answers, and carries out its tool calls.
///
/// The server stores nothing: each request has the whole conversation. An answer that breaks off or is stopped stays in
/// the history as far as it arrived; a question without any answer does not. The conversation can continue by voice.
actor ModelPartner: ChatPartner {
    /// Opens a connection to a model by one of the text calls, with the rest of the budget.
    typealias Open =
        @Sendable (_ model: String, _ api: EchoEndpoint.TextAPI, _ budget: Double?) throws -> Echo

    private let open: Open
    private let instructions: String?
    private let turns: TurnDetection
    let calls: ToolCalls?
    private let budget: Double?
    private let mayFallBack: Bool
    private var model: String
    private var api = EchoEndpoint.TextAPI.responses
    private(set) var echo: Echo
    private var conversation: Conversation?
    /// The messages from before the conversation.
    private var history: [ResponseItem] = []
    /// The mode in which the conversation begins.
    private var firstMode: EchoMode
    /// The tools that the model was last offered.
    private(set) var offered: [Tool] = []
    /// The files of the next question.
    private var attachments: [AttachedFile] = []
    /// The cost of models that are no longer used.
    private var spent = ChatCost()

    /// - Parameters:
    ///   - model: The first model.
    ///   - budget: The budget in US dollars, for all models together.
    ///   - instructions: The system message.
    ///   - mode: The mode in which the conversation begins.
    ///   - turns: The detection of the end of the user's turns by voice.
    ///   - calls: The tools that the model may call; nil for no tools.
    ///   - mayFallBack: True if the server may have only `/chat/completions`.
    ///   - open: Opens a connection to a model.
    init(
        model: String, budget: Double?, instructions: String?, mode: EchoMode = .text,
        turns: TurnDetection = .automatic(VADConfiguration()), calls: ToolCalls?, mayFallBack: Bool = false,
        open: @escaping Open
    ) throws {
        self.model = model
        self.budget = budget
        self.instructions = instructions
        self.turns = turns
        self.calls = calls
        self.mayFallBack = mayFallBack
        self.open = open
        firstMode = mode
        echo = try open(model, .responses, budget)
    }

    var name: String {
        get async { await mode == .audio ? echo.configuration.realtimeModel.rawValue : model }
    }

    func answer(_ question: String, _ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws {
        let tools = try await offer(tell)
        let earlier = try await current().history
        let files = attachments
        try files.check(for: model)
        if !files.isEmpty { await restart(after: earlier + [files.message]) }
        let before = try await current().history
        do {
            do { try await turn(question, tools, tell) } catch let error as EchoError
                where mayFallBack && api == .responses && error.saysThereIsNone
            {
                api = .chatCompletions
                try await reopen(model, after: before)
                _ = try await offer(tell)
                try await turn(question, tools, tell)
            }
            attachments = []
        } catch {
            // The model is not sent a question again that got no answer; its files go with the next one.
            let count = await conversation?.history.count ?? before.count
            let isUnanswered = count == before.count + 1 || (!files.isEmpty && count == before.count)
            if let conversation, await conversation.mode == .text, isUnanswered {
                await restart(after: earlier)
            } else {
                attachments = []
            }
            if !files.isEmpty, let refusal = (error as? EchoError)?.refusal {
                attachments = []
                throw AttachmentError.refused(model: model, refusal)
            }
            let path = api == .responses ? "responses" : "chat/completions"
            throw NothingAtAddress(error, at: echo.configuration.endpoint, path: path) ?? error
        }
    }

    func attach(_ files: [AttachedFile]) async throws {
        guard await mode == .text else { throw AttachmentError.byVoice }
        try (attachments + files).check(for: model)
        attachments += files
    }

    /// Offers the current tools to the model.
    func offer(_ tell: @Sendable (ChatEvent) async throws -> Void) async throws -> [Tool] {
        let tools = try await calls?.tools(tell) ?? []
        for tool in offered where !tools.contains(where: { $0.name == tool.name }) {
            echo.unregisterTool(named: tool.name)
        }
        for tool in tools { echo.registerTool(tool) }
        offered = tools
        return tools
    }

    private func turn(
        _ question: String, _ tools: [Tool], _ tell: @escaping @Sendable (ChatEvent) async throws -> Void
    ) async throws {
        let conversation = try await current()
        let said = try await following(tell) { try await conversation.send(question) }
        // The reader of the voice events shows spoken answers and carries out their calls.
        guard await conversation.mode == .text else { return }
        var isSilent = !said
        while case let pending = await conversation.pendingToolCalls, !pending.isEmpty, let calls {
            let results: [ToolResult]
            do { results = try await calls.carryOut(pending, tools, tell) } catch {
                try? await conversation.interruptAssistant()
                throw error
            }
            isSilent = try await !following(tell) { try await conversation.submitToolResults(results) } && isSilent
        }
        if isSilent { try await tell(.notice("The model has answered nothing.")) }
    }

    /// Runs `body`, and reports the model's events meanwhile.
    ///
    /// - Returns: True if there was any event.
    private func following(
        _ tell: @escaping @Sendable (ChatEvent) async throws -> Void,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        let events = echo.events(buffering: .max)
        let work = Task { try await body() }
        let follower = Task {
            var said = false
            do {
                for await event in events {
                    guard let event = ChatEvent(event.detail) else { continue }
                    said = true
                    try await tell(event)
                }
            } catch {
                work.cancel()
                throw error
            }
            return said
        }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        // A stream whose reader is cancelled ends after its buffered events: all are reported before this returns.
        follower.cancel()
        let said = try await follower.value
        try result.get()
        return said
    }

    // MARK: The conversation

    /// The conversation, which begins with the first question.
    func current() async throws -> Conversation {
        if let conversation { return conversation }
        let begun = try await echo.startConversation(
            mode: firstMode, turnMode: turns, systemMessage: instructions, history: history)
        conversation = begun
        return begun
    }

    /// The mode in which the conversation goes on.
    var mode: EchoMode {
        get async { if let conversation { await conversation.mode } else { firstMode } }
    }

    /// Ends the conversation; the next question continues after `history`.
    private func restart(after history: [ResponseItem]) async {
        let old = conversation
        conversation = nil
        self.history = history
        await old?.close()
    }

    /// Continues with another model or call.
    private func reopen(_ model: String, after history: [ResponseItem]) async throws {
        let cost = totals()
        let opened = try open(model, api, budget.map { max(0, $0 - cost.cost) })
        await restart(after: history)
        await echo.close()
        (echo, self.model, spent, offered) = (opened, model, cost, [])
    }

    func use(model: String) async throws {
        guard await mode == .text else {
            throw EchoError.invalidConfiguration("The model for voice stays while you speak with it. First /text.")
        }
        api = .responses
        try await reopen(model, after: await conversation?.history ?? history)
    }

    func tools() async throws -> [ChatTool] { try await calls?.list() ?? [] }

    func cost() -> ChatCost? { totals() }

    private func totals() -> ChatCost {
        var cost = spent
        let meter = echo.usage
        let totals = meter.totals
        for (model, usage) in totals.usage {
            cost.usage[model, default: Usage()] += usage
            let isPriced = meter.prices[model] != nil || meter.voicePrices[model] != nil
            if !isPriced, !cost.unpriced.contains(model) { cost.unpriced.append(model) }
        }
        cost.cost += totals.cost
        cost.unknown += totals.requestsWithoutUsage
        cost.budget = budget
        return cost
    }

    func forget() async {
        firstMode = await mode
        attachments = []
        await restart(after: [])
    }

    func close() async {
        await conversation?.close()
        await echo.close()
        await calls?.close()
    }
}

extension ChatEvent {
    /// The event of a chat that an event of the conversation becomes; nil for none.
    fileprivate init?(_ event: EchoEvent) {
        switch event {
        case .assistantTextDelta(let text): self = .text(text)
        case .messageFinalized(let message):
            guard let reason = message.incompleteReason else { return nil }
            self = .notice("The answer is cut off: \(reason).")
        default: return nil
        }
    }
}

extension EchoError {
    /// The server's words if it refused the request's content; nil for any other error.
    fileprivate var refusal: String? {
        switch self {
        case .apiError(let failure) where [400, 413, 415, 422, 500, 501].contains(failure.status):
            failure.message
        case .unsupported(let words): words
        default: nil
        }
    }

    /// True if the server has no such call.
    fileprivate var saysThereIsNone: Bool {
        switch self {
        case .notFound, .unsupported: true
        case .apiError(let failure): failure.status == 405 || failure.status == 501
        default: false
        }
    }
}
