// SPDX-License-Identifier: MIT

import Concurrency
public import StructuredJSON

/// One conversation with a model, in text or by voice. Its messages stay when its mode changes.
///
/// Any number of tasks may use it; turns run one after another, in the order of the calls. A tool's handler must not
/// send to the conversation that called it: it would wait for its own turn to end.
public final class Conversation: Sendable {
    /// The conversation's id in events, and the prefix of its messages' ids.
    public let id: String
    typealias EngineMaker =
        @Sendable (EchoMode, ConversationContext) async throws -> any ConversationEngine

    let context: ConversationContext
    let makeEngine: EngineMaker
    let state: Guarded<State>
    let switching = TurnLine()
    /// Changes to text after a failure, and engines that wait for late transcripts.
    let tasks = OwnedTasks()

    struct State {
        var engine: any ConversationEngine
        /// Counts the engines.
        var number = 1
        /// The change to another engine, while it runs.
        var change: Task<Void, any Error>?
        /// Transcripts that arrived after their engine was replaced.
        var late: [String: String] = [:]
        var isClosed = false
    }

    /// A conversation in the mode of its first engine.
    ///
    /// - Parameter makeEngine: Makes the engine for a mode, which continues the context's conversation.
    init(context: ConversationContext, engine: any ConversationEngine, makeEngine: @escaping EngineMaker) {
        id = context.id
        self.context = context
        self.makeEngine = makeEngine
        state = Guarded(State(engine: engine))
        context.modeRequests.listen { [weak self] reason in self?.fallBackToText(reason) }
    }

    deinit {
        tasks.cancel()
        context.queue.finish()
        context.events.finish()
        let (engine, isClosed) = state.withLock { ($0.engine, $0.isClosed) }
        // A conversation without references must not go on listening.
        if !isClosed { Task { await engine.close() } }
    }

    var current: any ConversationEngine { state.withLock { $0.engine } }

    /// Calls the engine, and the next one if this one was closed meanwhile. It reaches the engine before it is suspended:
    /// calls keep their order.
    nonisolated(nonsending) func ask(
        _ body: nonisolated(nonsending) (any ConversationEngine) async throws -> Void
    ) async throws {
        while true {
            let (engine, number) = state.withLock { ($0.engine, $0.number) }
            do { return try await body(engine) } catch is ConversationEngineClosed {
                guard state.withLock({ $0.number }) != number else { throw EchoError.conversationClosed }
            }
        }
    }

    /// The current mode.
    public var mode: EchoMode { get async { current.mode } }

    /// Sends a message, and returns when the assistant's turn is over: the answer is in ``messages``, its pieces arrive
    /// as `assistantTextDelta` meanwhile. Calls run one after another, in their order.
    ///
    /// If the program carries out calls of tools itself, it returns when the model requests some: ``pendingToolCalls``
    /// lists them, ``submitToolResults(_:)`` continues the turn.
    ///
    /// - Throws: ``EchoError``, also emitted as `error`; the assistant's text until then stays, marked as interrupted.
    ///   `CancellationError` when the task is cancelled, which ends the turn.
    public nonisolated(nonsending) func send(_ text: String) async throws {
        try await ask { try await $0.send(text, deltas: nil) }
    }

    /// Sends a message as ``send(_:)`` does, and asks the model to say something about its answer, in fields beside it.
    ///
    /// The model writes JSON by a schema then; the messages, the history and `assistantTextDelta` have the answer's text
    /// alone.
    ///
    /// - Parameter fields: The schema of each field by its name, which may not be `answer`.
    /// - Returns: The fields as an object; nil by voice, and for a model that answers without them.
    /// - Throws: As ``send(_:)``; a server that knows no schemas refuses with ``EchoError/apiError(_:)``.
    public nonisolated(nonsending) func send(_ text: String, fields: JSONObject) async throws -> JSONValue? {
        var said: JSONValue?
        try await ask { said = try await $0.send(text, fields: fields) }
        return said
    }

    /// Continues in another mode, with all messages, calls and results, and the same ids. A turn in progress is cut
    /// short: the answer so far is carried over, marked as interrupted.
    ///
    /// - Throws: ``EchoError`` if that mode is not available, also emitted as `error`; the conversation then continues
    ///   in the old one.
    public func switchMode(to mode: EchoMode) async throws { try await change(to: mode, because: .requested) }

    /// Finished messages in order, for one consumer: all earlier ones, then each as soon as it is finished.
    ///
    /// Each access is a stream of its own, and every stream has all messages, however slow its consumer is: it reads at
    /// its own pace from the list that ``allMessages`` shows, so there is no buffer to fill. A stream ends with
    /// ``close()``, or when its task is cancelled, and keeps the conversation alive until then.
    public var messages: AsyncStream<Message> { context.queue.messages(keeping: self) }

    /// This conversation's events of these types from now on, for one consumer; each call makes a stream of its own.
    ///
    /// Buffer policy: no event is dropped; the stream holds what its consumer has not read, sound included, so name the
    /// types that you read. It ends with ``close()``, or when its task is cancelled.
    public func events(of types: Set<EventType> = Set(EventType.allCases)) -> AsyncStream<EchoEvent> {
        context.events.stream(of: types)
    }

    /// All finished messages, in order.
    public var allMessages: [Message] { get async { await context.queue.getOrderedMessages() } }

    /// Unfinished messages: an answer that is being written, in voice a question without its transcript.
    public var pendingMessages: [Message] { get async { await context.queue.getPendingMessages() } }

    /// Calls that wait for a result of the program, in order.
    public var pendingToolCalls: [ToolCall] { get async { await current.pendingToolCalls() } }

    /// Submits results of calls that the program carries out itself. When each call has one, the model continues; then
    /// this returns when its turn is over.
    ///
    /// - Throws: As ``send(_:)``; ``EchoError/toolExecutionFailed(_:)`` for a result whose call does not wait.
    public nonisolated(nonsending) func submitToolResults(_ results: [ToolResult]) async throws {
        try await ask { try await $0.submit(results) }
    }

    /// Everything so far, in order: messages with their ids, calls of tools and their results. Speech without a
    /// transcript is a message without text.
    ///
    /// Pass it to `startConversation(mode:turnMode:systemMessage:history:)`; the responses API itself does not know the
    /// ids.
    public var history: [ResponseItem] { get async { await context.queue.items() } }

    /// Begins the user's turn, in a voice conversation with manual turns: the assistant falls silent, and earlier sound
    /// does not count. Without this call, a turn begins when the one before it has ended. In text this does nothing.
    public func beginUserTurn() async throws { try await current.beginUserTurn() }

    /// Ends the user's turn, in a voice conversation with manual turns. In text each message is a turn, and this does
    /// nothing.
    public func endUserTurn() async throws { try await current.endUserTurn() }

    /// Cuts the assistant short: ``send(_:)`` returns, and the answer so far stays, marked as interrupted. Returns once
    /// the assistant is silent; does nothing if it is silent already.
    public func interruptAssistant() async throws { try await current.interruptAssistant() }

    /// Closes or opens the user's microphone to the conversation.
    ///
    /// - Throws: ``EchoError/unsupported(_:)`` in text, which has no microphone.
    public func setMuted(_ muted: Bool) async throws { try await current.setMuted(muted) }

    /// Ends the conversation: a turn in progress is cut short, the streams of messages end, and sending is an error.
    /// All messages can still be read. Microphone, loudspeaker and connections are closed when it returns.
    public func close() async {
        let change = state.withLock { state in
            state.isClosed = true
            return state.change
        }
        change?.cancel()
        await tasks.close()
        let isAlone = (try? await switching.enter()) != nil
        defer { if isAlone { switching.leave() } }
        await current.close()
        context.queue.finish()
        context.events.finish()
    }
}
