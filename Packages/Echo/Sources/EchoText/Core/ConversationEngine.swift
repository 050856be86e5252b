// SPDX-License-Identifier: MIT

/// Runs a conversation in one mode. A ``Conversation`` has one engine at a time, and changes it to change modes.
///
/// Messages go to the context's queue, events to its emitter; both outlive the engine.
package protocol ConversationEngine: Sendable {
    /// The mode that this engine is for.
    var mode: EchoMode { get }
    /// Says something for the user, and returns when the turn that follows is over.
    func send(_ text: String) async throws
    /// Gives the results of calls which the program carries out itself.
    func submit(_ results: [ToolResult]) async throws
    /// Calls which wait for results.
    func pendingToolCalls() async -> [ToolCall]
    /// Begins the user's turn, where the program says when that is.
    func beginUserTurn() async throws
    /// Ends the user's turn, where the program says when that is.
    func endUserTurn() async throws
    /// Cuts the assistant short; returns when it is silent. Does nothing if it is.
    func interruptAssistant() async throws
    /// Opens or closes the user's microphone to the conversation.
    func setMuted(_ muted: Bool) async throws
    /// All that was said and done, in order and under its names, as another engine takes it.
    func items() async -> [ResponseItem]
    /// The words of something that the user said in another engine, and that had none when this one began.
    func fill(_ id: String, transcript: String) async
    /// Ends what is under way at once, keeping what has come of it; holds back what comes then, until ``resume()``,
    /// ``retire()`` or ``close()``.
    ///
    /// - Throws: `CancellationError`; then nothing is held back.
    func pause() async throws
    /// Goes on after ``pause()``.
    func resume() async
    /// Lets go of everything but what still has to come for ``linger(late:)``. What was held back, and what comes later,
    /// throws `ConversationEngineClosed`.
    func retire() async
    /// Waits, for a limited time, for transcripts that are still to come, and closes the engine then, or when the task is
    /// cancelled.
    ///
    /// - Parameter late: Is told of a message's name and its words.
    func linger(late: @escaping @Sendable (String, String) async -> Void) async
    /// Ends the engine at once. What was held back, and what comes later, throws `ConversationEngineClosed`.
    func close() async
}

/// The engine was closed before it did anything of what it was asked.
package struct ConversationEngineClosed: Error {
    package init() {}
}
