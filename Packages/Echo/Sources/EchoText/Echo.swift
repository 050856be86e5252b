// SPDX-License-Identifier: MIT

import Concurrency

/// Conversations with a model, in text and by voice, and its server's other services: vectors, structured data.
///
/// ```swift
/// let echo = Echo(key: "sk-...")
/// let conversation = try await echo.startConversation(mode: .text, systemMessage: "You are a helpful assistant")
/// for try await delta in conversation.stream("Hello!") { print(delta, terminator: "") }
/// await conversation.close()
/// ```
///
/// Any number of tasks may use one. It shares a connection, the cache of vectors, the tools and the event handlers
/// among all its conversations.
public final class Echo: Sendable {
    /// The configuration given to the initialiser.
    public let configuration: EchoConfiguration
    /// True if conversations carry out the model's calls of tools by themselves.
    public let automaticToolExecution: Bool
    /// The tokens and the cost of all requests so far, and the budget.
    public let usage: UsageMeter
    /// Asks models without a conversation.
    package let responses: any ResponsesService
    let emitter: EventEmitter
    let tools = ToolRegistry()
    let connection: APIConnection?
    private let embeddingsClient: EmbeddingsClient
    private let factory: ConversationEngineFactory
    private let conversations = Guarded(0)
    /// The last conversation's, with which the next one begins.
    private let tokenScale = TokenScale()

    /// An instance for a server. Nothing is sent yet, and nothing can fail yet: the first request reports an invalid
    /// configuration.
    ///
    /// - Parameters:
    ///   - key: The API key; empty for a server without keys.
    ///   - configuration: The models, the server and the limits.
    ///   - automaticToolExecution: True if conversations carry out the model's calls of tools by themselves; otherwise
    ///     see ``Conversation/pendingToolCalls``.
    ///   - toolExecution: The limits and the approval of tool calls.
    ///   - eventQueueLimit: The number of events that a handler may be behind before it loses the oldest.
    public convenience init(
        key: String, configuration: EchoConfiguration = .default, automaticToolExecution: Bool = true,
        toolExecution: ToolExecutor.Configuration = ToolExecutor.Configuration(),
        eventQueueLimit: Int = EventEmitter.defaultQueueLimit
    ) {
        let connection = APIConnection(key: key, configuration: configuration)
        self.init(
            service: ResponsesClient(connection), embeddings: HTTPEmbeddingsService(connection: connection),
            connection: connection, meter: connection.meter, configuration: configuration,
            automaticToolExecution: automaticToolExecution, executor: ToolExecutor(configuration: toolExecution),
            eventQueueLimit: eventQueueLimit)
    }

    /// An instance over your own services: for tests, and for servers with other protocols. It has no voice.
    ///
    /// - Parameter meter: Counts the services' usage; the services record it.
    package convenience init(
        service: any ResponsesService, embeddings: any EmbeddingsService, meter: UsageMeter = UsageMeter(),
        configuration: EchoConfiguration = .default, automaticToolExecution: Bool = true,
        executor: ToolExecutor = ToolExecutor(), eventQueueLimit: Int = EventEmitter.defaultQueueLimit
    ) {
        self.init(
            service: service, embeddings: embeddings, connection: nil, meter: meter, configuration: configuration,
            automaticToolExecution: automaticToolExecution, executor: executor, eventQueueLimit: eventQueueLimit)
    }

    /// An instance over services, and a connection for voice.
    init(
        service: any ResponsesService, embeddings: any EmbeddingsService, connection: APIConnection?, meter: UsageMeter,
        configuration: EchoConfiguration, automaticToolExecution: Bool, executor: ToolExecutor, eventQueueLimit: Int
    ) {
        self.configuration = configuration
        self.connection = connection
        self.automaticToolExecution = automaticToolExecution
        responses = service
        usage = meter
        emitter = EventEmitter(queueLimit: eventQueueLimit)
        connection?.limiter.listen { [weak emitter] wait in emitter?.emit(ConversationEvent(.rateLimited(wait))) }
        embeddingsClient = EmbeddingsClient(service: embeddings, endpoint: configuration.endpoint)
        factory = ConversationEngineFactory(
            service: service, connection: connection, configuration: configuration,
            automaticToolExecution: automaticToolExecution, executor: executor, meter: meter)
    }

    /// Starts a conversation.
    ///
    /// - Parameters:
    ///   - mode: The first mode; it can be switched.
    ///   - systemMessage: The instructions to the assistant, before everything else.
    ///   - history: An earlier conversation's ``Conversation/history``. Its messages are released at once.
    /// - Throws: ``EchoError``: an unsupported model; for voice, the reason why microphone, loudspeaker or session did
    ///   not open, after which none of them is open.
    public func startConversation(
        mode: EchoMode, systemMessage: String? = nil, history: [ResponseItem] = []
    ) async throws -> Conversation {
        try await startConversation(
            mode: mode, turnMode: .automatic(VADConfiguration()), systemMessage: systemMessage, history: history)
    }

    /// Starts a conversation.
    ///
    /// - Parameters:
    ///   - mode: The first mode; it can be switched.
    ///   - turnMode: The party that ends the user's turn by voice.
    ///   - systemMessage: The instructions to the assistant, before everything else.
    ///   - history: An earlier conversation's ``Conversation/history``. Its messages are released at once.
    /// - Throws: ``EchoError``: an unsupported model; for voice, the reason why microphone, loudspeaker or session did
    ///   not open, after which none of them is open.
    public func startConversation(
        mode: EchoMode, turnMode: TurnDetection, systemMessage: String? = nil, history: [ResponseItem] = []
    ) async throws -> Conversation {
        let number = conversations.withLock { number in
            number += 1
            return number
        }
        let id = "conversation-\(number)"
        let events = ConversationEvents(next: emitter)
        let context = ConversationContext(
            id: id, systemMessage: systemMessage, turnMode: turnMode,
            queue: MessageQueue(eventEmitter: events, conversationID: id), events: events, tools: tools,
            tokenScale: TokenScale(tokenScale))
        await context.queue.restore(history)
        return Conversation(
            context: context, engine: try await factory.engine(mode, context),
            makeEngine: { [factory] mode, context in try await factory.engine(mode, context) })
    }

    /// Lets the model call a function, in all conversations from the next turn on; in voice at once. It replaces a tool
    /// of the same name.
    ///
    /// ``Conversation/send(_:)`` reports an invalid tool (its name, its schema).
    public func registerTool(_ tool: Tool) { tools.add(tool) }

    /// Removes a tool, in all conversations from the next turn on; in voice at once.
    public func unregisterTool(named name: String) { tools.remove(name) }

    /// The time for which requests to the server fail at once, since the last ones failed; nil if one may be sent now.
    public var pause: Duration? { connection?.pause }

    /// Ends everything that runs beside the conversations: handlers, streams of events, and MCP servers' programs.
    /// Close the conversations first.
    public func close() async {
        emitter.close()
        await closeMCPServers()
    }

    /// Starts conversations: `echo.start.conversation(mode: .text)`.
    public var start: StartNamespace { StartNamespace(echo: self) }

    /// Makes data: `echo.generate.structured(UserProfile.self, from: "…")`.
    public var generate: GenerateNamespace {
        GenerateNamespace(service: responses, model: configuration.responsesModel, embeddings: embeddings)
    }

    /// Finds similar texts: `echo.find.similar(to: "…", in: corpus)`.
    public var find: FindNamespace { FindNamespace(client: embeddingsClient, model: configuration.embeddingModel) }

    /// Makes vectors: `echo.embeddings.embedding(from: "…")`.
    public var embeddings: EmbeddingsNamespace {
        EmbeddingsNamespace(client: embeddingsClient, model: configuration.embeddingModel)
    }
}
