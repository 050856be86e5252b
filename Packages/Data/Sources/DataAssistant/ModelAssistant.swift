// SPDX-License-Identifier: MIT

import Concurrency
public import Domain
public import Echo
import FoundationEssentials
public import Networking

/// A model at a server: holds a conversation with it, streams its answers, and carries out its tool calls.
///
/// The server stores nothing: each request has the whole conversation. A model that is silent for longer than the limit
/// counts as one that cannot be reached, and a server that cannot be tried now is not asked. An answer that breaks off or is stopped stays in
/// the history as far as it arrived; a question without any answer does not. The conversation can continue by voice.
public actor ModelAssistant: Assistant {
    /// Opens a connection to a model by one of the text calls, with the rest of the budget.
    public typealias Open =
        @Sendable (_ model: String, _ api: EchoEndpoint.TextAPI, _ budget: Double?) throws -> Echo

    private let open: Open
    private let instructions: String?
    private let turnDetection: TurnDetection
    let toolSource: (any ToolSource)?
    private let budget: Double?
    private let mayFallBack: Bool
    /// True if the model is asked whether its answer to a question for a fact lasts; false once a server knew no schemas.
    private var asksIfItLasts: Bool
    private let limit: Duration
    private let network: ServerConnectivity.Network?
    private let clock: any Clock<Duration>
    private var model: String
    private var api = EchoEndpoint.TextAPI.responses
    private(set) var echo: Echo
    private var conversation: EchoConversation?
    /// The turns that were put into the conversation from what is stored.
    private var turns: Set<TurnID> = []
    /// The messages from before the conversation.
    private var history: [ResponseItem] = []
    /// The mode in which the conversation begins.
    private var firstMode: EchoMode
    /// The tools that the model was last offered.
    private(set) var offered: [Tool] = []
    /// The files of the next question.
    private var attachments: [AttachedFile] = []
    /// The cost of models that are no longer used.
    private var spent = ModelCost()

    /// - Parameters:
    ///   - model: The first model.
    ///   - budget: The budget in US dollars, for all models together.
    ///   - instructions: The system message.
    ///   - mode: The mode in which the conversation begins.
    ///   - turns: The detection of the end of the user's turns by voice.
    ///   - tools: The tools that the model may call; nil for no tools.
    ///   - mayFallBack: True if the server may have only `/chat/completions`.
    ///   - asksIfItLasts: True to ask the model whether an answer lasts that may be kept (`FactQuestion` in Domain).
    ///   - limit: The longest silence of the model, before its first word and within an answer.
    ///   - network: The states of the network; nil for a server that is reached by a proxy.
    ///   - clock: Measures the limit.
    ///   - open: Opens a connection to a model.
    public init(
        model: String, budget: Double?, instructions: String?, mode: EchoMode = .text,
        turns: TurnDetection = .automatic(VADConfiguration()), tools: (any ToolSource)?, mayFallBack: Bool = false,
        asksIfItLasts: Bool = false, limit: Duration = ModelAssistant.standardLimit,
        network: ServerConnectivity.Network? = Reachability(),
        clock: any Clock<Duration> = ContinuousClock(), open: @escaping Open
    ) throws {
        self.model = model
        self.budget = budget
        self.instructions = instructions
        turnDetection = turns
        toolSource = tools
        self.mayFallBack = mayFallBack
        self.asksIfItLasts = asksIfItLasts
        (self.limit, self.network, self.clock) = (limit, network, clock)
        self.open = open
        firstMode = mode
        echo = try open(model, .responses, budget)
    }

    /// The longest silence of a model by default: one minute, since some think before they speak.
    public static let standardLimit = Duration.seconds(60)

    /// The way to the server.
    public var connectivity: any Connectivity {
        let host = URL(string: echo.configuration.endpoint.baseURL)?.host(percentEncoded: false) ?? ""
        return ServerConnectivity(host: host, network: network, clock: clock) { [echo] in echo.pause }
    }

    /// The name of the model that answers now.
    public var name: String {
        get async { await mode == .audio ? echo.configuration.realtimeModel.rawValue : model }
    }

    /// See `Assistant`. One question at a time; by voice, only the question is sent, and the answer comes by
    /// ``voiceEvents()``.
    ///
    /// - Throws: `DomainError` for a model that cannot be reached or has no answer; `EchoError` and
    ///   ``NothingAtAddress`` for all that the person has to mend.
    public func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        if let obstacle = await connectivity.obstacle() { throw DomainError(obstacle) }
        await remember(question.earlier)
        let before = totals()
        let said = Guarded("")
        let mayLast = asksIfItLasts && question.asksForLastingFact && attachments.isEmpty
        let lasts: Bool
        do {
            lasts = try await ask(question, mayLast: mayLast) { event in
                if case .delta(let text) = event { said.withLock { $0 += text } }
                try await report(event)
            }
        } catch let error as EchoError {
            throw DomainError(unreachable: error) ?? error
        }
        return AssistantAnswer(
            text: said.withLock { $0 }, source: .model(model), usage: AnswerUsage(totals(), since: before), lasts: lasts
        )
    }

    /// Goes on with a stored conversation, by voice too. The next question does so by itself.
    public func resume(_ messages: [Domain.Message]) async { await remember(messages) }

    /// Makes the conversation the one that a question belongs to, if this machine has answered meanwhile or if it was
    /// stored earlier. What the model itself said or heard is in its own conversation, as exact as can be.
    private func remember(_ messages: [Domain.Message]) async {
        let isNew = conversation == nil && history.isEmpty && !messages.isEmpty
        guard isNew || messages.contains(where: { $0.isFromThisMachine && !turns.contains($0.turn) }) else { return }
        turns = Set(messages.map(\.turn))
        await restart(after: [ResponseItem](messages))
    }

    /// - Returns: True if the model says that its answer lasts.
    private func ask(
        _ asked: AssistantQuestion, mayLast: Bool, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> Bool {
        let question = asked.text
        let tools = try await offer(report)
        try await share(asked, report)
        let earlier = try await current().history
        let files = attachments
        try files.check(for: model)
        if !files.isEmpty {
            try await report(.attached(files.map { Attachment(name: $0.name, bytes: $0.bytes) }))
            await restart(after: earlier + [files.message])
        }
        let before = try await current().history
        do {
            var lasts = false
            do { lasts = try await attempt(question, mayLast: mayLast, tools, report) } catch let error as EchoError
                where mayFallBack && api == .responses && error.saysThereIsNone
            {
                api = .chatCompletions
                try await reopen(model, after: before)
                _ = try await offer(report)
                lasts = try await attempt(question, mayLast: mayLast, tools, report)
            }
            attachments = []
            return lasts
        } catch {
            // The model is not sent a question again that got no answer; its files go with the next one.
            let count = await conversation?.history.count ?? before.count
            let isUnanswered = count == before.count + 1 || (!files.isEmpty && count == before.count)
            if let conversation, await conversation.mode == .text, isUnanswered {
                await restart(after: earlier.filter { !$0.isContext })
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

    /// Gives the next question these files.
    ///
    /// - Throws: ``AttachmentError`` for files that the model cannot take.
    public func attach(_ files: [AttachedFile]) async throws {
        guard await mode == .text else { throw AttachmentError.byVoice }
        try (attachments + files).check(for: model)
        attachments += files
    }

    /// Offers the current tools to the model.
    func offer(_ report: @Sendable (AnswerEvent) async throws -> Void) async throws -> [Tool] {
        let tools = try await toolSource?.tools(report) ?? []
        for tool in offered where !tools.contains(where: { $0.name == tool.name }) {
            echo.unregisterTool(named: tool.name)
        }
        for tool in tools { echo.registerTool(tool) }
        offered = tools
        return tools
    }

    /// Asks; and once more without a schema where the server refuses it, which is the last time that it gets one.
    private func attempt(
        _ question: String, mayLast: Bool, _ tools: [Tool],
        _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> Bool {
        let before = try await current().history
        do { return try await turn(question, mayLast: mayLast, tools, report) } catch let error as EchoError
            where mayLast && error.refusal != nil && !error.saysThereIsNone
        {
            asksIfItLasts = false
            await restart(after: before)
            return try await turn(question, mayLast: false, tools, report)
        }
    }

    private func turn(
        _ question: String, mayLast: Bool, _ tools: [Tool],
        _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> Bool {
        let conversation = try await current()
        let lasts = Guarded(false)
        let said = try await following(report) {
            guard mayLast else { return try await conversation.send(question) }
            let fields = try await conversation.send(question, fields: LastingAnswer.fields)
            lasts.withLock { $0 = LastingAnswer.says(fields) }
        }
        // The reader of the voice events shows spoken answers and carries out their calls.
        guard await conversation.mode == .text else { return false }
        var isSilent = !said
        let callsTools = await !conversation.pendingToolCalls.isEmpty
        while case let pending = await conversation.pendingToolCalls, !pending.isEmpty, let toolSource {
            let results: [ToolResult]
            do { results = try await toolSource.carryOut(pending, tools, report) } catch {
                try? await conversation.interruptAssistant()
                throw error
            }
            isSilent = try await !following(report) { try await conversation.submitToolResults(results) } && isSilent
        }
        if isSilent { try await report(.notice(.silence)) }
        return lasts.withLock { $0 } && !callsTools && !isSilent
    }

    /// Runs `body`, and reports the model's events meanwhile.
    ///
    /// - Returns: True if there was any event.
    /// - Throws: `EchoError.timedOut` for a silence beyond the limit.
    private func following(
        _ report: @escaping @Sendable (AnswerEvent) async throws -> Void,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        let events = echo.events(buffering: .max)
        let silence = SilenceLimit(limit, clock)
        let work = Task { try await body() }
        let follower = Task {
            var said = false
            do {
                for await event in events {
                    guard let event = AnswerEvent(event.detail) else { continue }
                    said = true
                    try await silence.interrupted { try await report(event) }
                }
            } catch {
                work.cancel()
                throw error
            }
            return said
        }
        // By voice only the words are sent; the answer comes later, by other events.
        let watch = await mode == .text ? Task { if await silence.isReached() { work.cancel() } } : nil
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        watch?.cancel()
        // A stream whose reader is cancelled ends after its buffered events: all are reported before this returns.
        follower.cancel()
        let said = try await follower.value
        if case .failure(is CancellationError) = result, !Task.isCancelled, silence.wasReached {
            throw EchoError.timedOut("The model said nothing for \(limit.components.seconds) s.")
        }
        try result.get()
        return said
    }

    // MARK: The conversation

    /// The conversation, which begins with the first question.
    func current() async throws -> EchoConversation {
        if let conversation { return conversation }
        let begun = try await echo.startConversation(
            mode: firstMode, turnMode: turnDetection, systemMessage: instructions, history: history)
        conversation = begun
        return begun
    }

    /// The mode in which the conversation goes on.
    public var mode: EchoMode {
        get async { if let conversation { await conversation.mode } else { firstMode } }
    }

    /// Ends the conversation; the next question continues after `history`.
    func restart(after history: [ResponseItem]) async {
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

    /// Continues with another model.
    public func use(model: String) async throws {
        guard await mode == .text else {
            throw EchoError.invalidConfiguration("The model for voice stays while you speak with it. First /text.")
        }
        api = .responses
        try await reopen(model, after: await conversation?.history ?? history)
    }

    /// The tokens and the cost so far.
    public func cost() -> ModelCost { totals() }

    private func totals() -> ModelCost {
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

    /// Forgets the conversation; the next question begins another one.
    public func forget() async {
        firstMode = await mode
        turns = []
        attachments = []
        await restart(after: [])
    }

    /// Closes the conversation and its tools.
    public func close() async {
        await conversation?.close()
        await echo.close()
        await toolSource?.close()
    }
}

extension AnswerEvent {
    /// The event of a chat that an event of the conversation becomes; nil for none.
    fileprivate init?(_ event: EchoEvent) {
        switch event {
        case .assistantTextDelta(let text): self = .delta(text)
        case .messageFinalized(let message):
            guard let reason = message.incompleteReason else { return nil }
            self = .notice(.cutOff("\(reason)"))
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
