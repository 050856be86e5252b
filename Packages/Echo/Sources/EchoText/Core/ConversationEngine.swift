// SPDX-License-Identifier: MIT

package import StructuredJSON

/// Runs a conversation in one mode. A ``Conversation`` has one engine at a time, and changes it to change modes.
///
/// The engine reads the conversation from the transcript of the context's queue, and writes it there; events go to the
/// context's emitter. Both outlive the engine.
package protocol ConversationEngine: Sendable {
    /// The engine's mode.
    var mode: EchoMode { get }
    /// Sends a message of the user, and returns when the turn that follows is over.
    ///
    /// - Parameter deltas: Receives the pieces of the assistant's text in that turn, in order. Must not wait.
    func send(_ text: String, deltas: (@Sendable (String) -> Void)?) async throws
    /// The same, and asks the model for fields beside its answer.
    ///
    /// - Returns: The fields; nil for an answer without them.
    func send(_ text: String, fields: JSONObject) async throws -> JSONValue?
    /// Submits the results of calls that the program carries out itself.
    func submit(_ results: [ToolResult]) async throws
    /// Calls that wait for results.
    func pendingToolCalls() async -> [ToolCall]
    /// Begins the user's turn, if the program begins turns.
    func beginUserTurn() async throws
    /// Ends the user's turn, if the program ends turns.
    func endUserTurn() async throws
    /// Cuts the assistant short; returns when it is silent. Does nothing if it is silent already.
    func interruptAssistant() async throws
    /// Opens or closes the user's microphone to the conversation.
    func setMuted(_ muted: Bool) async throws
    /// Receives the text of a message that the user spoke to another engine, and that had none when this one began; the
    /// transcript has it already.
    func fill(_ id: String, transcript: String) async
    /// Ends all turns at once, keeping the answer so far; holds back later calls until ``resume()``, ``retire()`` or
    /// ``close()``.
    ///
    /// - Throws: `CancellationError`; then calls are not held back.
    func pause() async throws
    /// Continues after ``pause()``.
    func resume() async
    /// Releases everything that ``linger(late:)`` does not need. Calls that were held back, and later ones, throw
    /// `ConversationEngineClosed`.
    func retire() async
    /// Waits, for a limited time, for outstanding transcripts, and closes the engine then, or when the task is
    /// cancelled.
    ///
    /// - Parameter late: Receives a message's id and its text.
    func linger(late: @escaping @Sendable (String, String) async -> Void) async
    /// Ends the engine at once. Calls that were held back, and later ones, throw `ConversationEngineClosed`.
    func close() async
}

extension ConversationEngine {
    /// An engine that has no form for fields asks without them.
    package func send(_ text: String, fields: JSONObject) async throws -> JSONValue? {
        try await send(text, deltas: nil)
        return nil
    }
}

/// The engine was closed before the call had any effect.
package struct ConversationEngineClosed: Error {
    package init() {}
}

/// The values that all engines of one conversation share.
package struct ConversationContext: Sendable {
    /// The conversation's id in events.
    package let id: String
    /// The instructions that precede all messages.
    package let systemMessage: String?
    /// The rule that ends the user's turns in voice.
    package let turnMode: TurnDetection
    /// All messages, in every mode.
    package let queue: MessageQueue
    /// The receiver of the events.
    let events: ConversationEvents
    /// The tools that the model may call.
    package let tools: ToolRegistry
    /// The measure of the history's size.
    package let tokenScale: TokenScale
    /// The line on which an engine asks for another mode.
    package let modeRequests = ModeRequests()

    package func emit(_ detail: EchoEvent) async {
        await events.emit(ConversationEvent(detail, conversationID: id))
    }
}
