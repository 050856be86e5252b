// SPDX-License-Identifier: MIT

public import Domain
public import Echo

/// The conversation by voice.
extension ModelAssistant {
    /// Opens microphone, loudspeaker and session if the first mode is voice.
    public func begin(_ report: @escaping @Sendable (AnswerEvent) async throws -> Void) async throws {
        _ = try await offer(report)
        _ = try await current()
    }

    /// Switches to voice or to text and keeps the conversation; the old mode stays if the new one is unavailable.
    public func switchMode(to mode: EchoMode) async throws {
        let conversation = try await current()
        _ = try await offer { _ in }
        try await conversation.switchMode(to: mode)
    }

    /// Sends a typed message while it goes on by voice; the answer comes by ``voiceEvents()``.
    public func say(_ text: String) async throws { try await current().send(text) }

    /// The events while it goes on by voice.
    public func voiceEvents() -> EventStream { echo.events(buffering: .max) }

    /// Carries out the calls that the model requests by voice.
    public func carryOutCalls(_ report: @escaping @Sendable (AnswerEvent) async throws -> Void) async throws {
        let conversation = try await current()
        let pending = await conversation.pendingToolCalls
        guard !pending.isEmpty, let toolSource else { return }
        let results = try await toolSource.carryOut(pending, offered, report)
        // An interruption in the meantime has answered some calls.
        let open = await conversation.pendingToolCalls
        let awaited = results.filter { result in open.contains { $0.id == result.callID } }
        if !awaited.isEmpty { try await conversation.submitToolResults(awaited) }
    }

    /// Closes or opens the microphone.
    public func setMuted(_ muted: Bool) async throws { try await current().setMuted(muted) }

    /// Begins the user's turn by voice.
    public func beginTurn() async throws { try await current().beginUserTurn() }
    /// Ends the user's turn by voice.
    public func endTurn() async throws { try await current().endUserTurn() }

    /// Makes the assistant silent.
    public func interrupt() async throws { try await current().interruptAssistant() }

    /// True if words are awaited of something that was said.
    public var awaitsWords: Bool { get async throws { try await !current().pendingMessages.isEmpty } }
}
