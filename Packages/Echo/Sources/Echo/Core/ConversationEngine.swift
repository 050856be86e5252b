// SPDX-License-Identifier: MIT

/// What carries a conversation on in one mode. A ``Conversation`` has one at a time, and changes it to change modes.
///
/// Messages go to the context's queue, events to its emitter; both outlive the engine.
protocol ConversationEngine: Sendable {
    /// The mode that this engine is for.
    var mode: EchoMode { get }
    /// Says something for the user, and returns when the turn that follows is over.
    func send(_ text: String) async throws
    /// Gives the results of calls which the program carries out itself.
    func submit(_ results: [ToolResult]) async throws
    /// Calls which wait for results.
    func pendingToolCalls() async -> [ToolCall]
    /// Ends the user's turn, where the program says when that is.
    func endUserTurn() async throws
    /// Cuts the assistant short; returns when it is silent. Does nothing if it is.
    func interruptAssistant() async throws
    /// Opens or closes the user's microphone to the conversation.
    func setMuted(_ muted: Bool) async throws
    /// Waits until what is under way has ended and every message of it has its text; holds back what comes then, until
    /// ``resume()`` or ``close()``.
    ///
    /// - Throws: `CancellationError`; then nothing is held back.
    func pause() async throws
    /// Goes on after ``pause()``.
    func resume() async
    /// Ends the engine at once. What was held back, and what comes later, throws `ConversationEngineClosed`.
    func close() async
}

/// The engine was closed before it did anything of what it was asked.
struct ConversationEngineClosed: Error {}
