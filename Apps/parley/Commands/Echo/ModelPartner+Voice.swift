// SPDX-License-Identifier: MIT

import Echo

/// The conversation by voice.
extension ModelPartner {
    /// Opens microphone, loudspeaker and session if the first mode is voice.
    func begin(_ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws {
        _ = try await offer(tell)
        _ = try await current()
    }

    func switchMode(to mode: EchoMode) async throws {
        let conversation = try await current()
        _ = try await offer { _ in }
        try await conversation.switchMode(to: mode)
    }

    func voiceEvents() -> EventStream { echo.events(buffering: .max) }

    func carryOutCalls(_ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws {
        let conversation = try await current()
        let pending = await conversation.pendingToolCalls
        guard !pending.isEmpty, let calls else { return }
        let results = try await calls.carryOut(pending, offered, tell)
        // An interruption in the meantime has answered some calls.
        let open = await conversation.pendingToolCalls
        let awaited = results.filter { result in open.contains { $0.id == result.callID } }
        if !awaited.isEmpty { try await conversation.submitToolResults(awaited) }
    }

    func setMuted(_ muted: Bool) async throws { try await current().setMuted(muted) }

    /// Begins and ends the user's turn by voice.
    func beginTurn() async throws { try await current().beginUserTurn() }
    func endTurn() async throws { try await current().endUserTurn() }

    /// Makes the assistant silent.
    func interrupt() async throws { try await current().interruptAssistant() }

    /// True if words are awaited of something that was said.
    var awaitsWords: Bool { get async throws { try await !current().pendingMessages.isEmpty } }
}
