// SPDX-License-Identifier: MIT

import Concurrency

/// One conversation with a model, in text or by voice, whose messages stay when its mode changes.
///
/// Any number of tasks may use it; turns run one after another, in the order of the calls. A tool's handler must not
/// send to the conversation that called it: it would wait for its own turn to end.
public final class Conversation: Sendable {
    /// Names the conversation in events, and starts the names of its messages.
    public let id: String
    typealias EngineMaker =
        @Sendable (EchoMode, ConversationContext, [ResponseItem]) async throws -> any ConversationEngine

    let context: ConversationContext
    let makeEngine: EngineMaker
    let state: Guarded<State>
    let switching = TurnLine()
    /// Modes that change by themselves, and engines that wait for the last words.
    let tasks = OwnedTasks()

    struct State {
        var engine: any ConversationEngine
        /// Counts the engines.
        var number = 1
        /// Another engine is being made.
        var change: Task<Void, any Error>?
        /// Words that came when the engine which heard them was no longer in use.
        var late: [String: String] = [:]
        var isClosed = false
    }

    /// A conversation in the mode of its first engine.
    ///
    /// - Parameter makeEngine: Makes the engine for a mode, which goes on after those items.
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
        let (engine, isClosed) = state.withLock { ($0.engine, $0.isClosed) }
        // A conversation that nobody can reach any more must not go on listening.
        if !isClosed { Task { await engine.close() } }
    }

    var current: any ConversationEngine { state.withLock { $0.engine } }

    /// Asks the engine, and the next one where this one was closed meanwhile.
    private func ask(_ body: (any ConversationEngine) async throws -> Void) async throws {
        while true {
            let (engine, number) = state.withLock { ($0.engine, $0.number) }
            do { return try await body(engine) } catch is ConversationEngineClosed {
                guard state.withLock({ $0.number }) != number else { throw Self.closed }
            }
        }
    }

    static let closed = EchoError.invalidConfiguration("The conversation is closed. Start another.")

    /// The current mode.
    public var mode: EchoMode { get async { current.mode } }

    /// Says something, and returns when the assistant's turn is over: the answer is in ``messages``, its pieces come as
    /// `assistantTextDelta` meanwhile. Calls run one after another, in the order in which they were made.
    ///
    /// Where the program carries out calls of tools itself, it returns when the model asks for some:
    /// ``pendingToolCalls`` says which, ``submitToolResults(_:)`` goes on.
    ///
    /// - Throws: ``EchoError``, also emitted as `error`; what the assistant had said until then stays, marked as
    ///   interrupted. `CancellationError` when the task is cancelled, which ends the turn.
    public func send(_ text: String) async throws { try await ask { try await $0.send(text) } }

    /// Goes on in another mode, with all that was said and done, and under the same names. A turn in progress is cut short:
    /// what has come of the answer is carried over, marked as interrupted.
    ///
    /// - Throws: ``EchoError`` if that mode cannot be had, also emitted as `error`; the conversation then goes on in the
    ///   old one.
    public func switchMode(to mode: EchoMode) async throws { try await change(to: mode, because: .requested) }

    /// Finished messages in order, for one consumer: all there were from the beginning, then each as soon as it is finished.
    ///
    /// Each access is a stream of its own, and none loses a message, however slow its consumer is: it reads at its own pace
    /// from the list that ``allMessages`` shows, so there is no buffer to fill. A stream ends with ``close()``, or when its
    /// task is cancelled, and keeps the conversation alive until then.
    public var messages: AsyncStream<Message> { context.queue.messages(keeping: self) }

    /// All finished messages, in order.
    public var allMessages: [Message] { get async { await context.queue.getOrderedMessages() } }

    /// Messages on their way: an answer that is being written, in voice a question whose transcript has not come.
    public var pendingMessages: [Message] { get async { await context.queue.getPendingMessages() } }

    /// Calls which wait for a result of the program's, in order.
    public var pendingToolCalls: [ToolCall] { get async { await current.pendingToolCalls() } }

    /// Gives results of calls that the program carries out itself. When each call has one, the model goes on; then this
    /// returns when its turn is over.
    ///
    /// - Throws: As ``send(_:)``; ``EchoError/toolExecutionFailed(_:)`` for a call that does not wait.
    public func submitToolResults(_ results: [ToolResult]) async throws {
        try await ask { try await $0.submit(results) }
    }

    /// Everything so far, in order: messages under their names, calls of tools and their results. What was said and has no
    /// transcript yet is a message without words.
    ///
    /// `startConversation(mode:turnMode:systemMessage:history:)` takes it; the responses API itself does not know the names.
    public var history: [ResponseItem] { get async { await current.items() } }

    /// Begins the user's turn, in a voice conversation where the program says when that is: the assistant falls silent,
    /// and what was heard before does not count. Without it, a turn begins when the one before it has ended. In text this
    /// does nothing.
    public func beginUserTurn() async throws { try await current.beginUserTurn() }

    /// Ends the user's turn, in a voice conversation where the program says when that is. In text each message is a turn,
    /// and this does nothing.
    public func endUserTurn() async throws { try await current.endUserTurn() }

    /// Cuts the assistant short: ``send(_:)`` returns, and what was said stays, marked as interrupted. Returns when that is
    /// done; does nothing while the assistant is silent.
    public func interruptAssistant() async throws { try await current.interruptAssistant() }

    /// Closes or opens the user's microphone to the conversation.
    ///
    /// - Throws: ``EchoError/unsupported(_:)`` in text, where there is none.
    public func setMuted(_ muted: Bool) async throws { try await current.setMuted(muted) }

    /// Ends the conversation: a turn in progress is cut short, the streams of messages end, and sending is an error. What
    /// was said can still be read. Microphone, loudspeaker and connections are closed when it returns.
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
    }
}
