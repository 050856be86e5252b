// SPDX-License-Identifier: MIT

import Concurrency

/// The change of a conversation's mode.
extension Conversation {
    /// Continues in another mode.
    func change(to mode: EchoMode, because reason: ModeChangeReason) async throws {
        try await switching.enter()
        defer { switching.leave() }
        let change = Task { try await self.goOn(in: mode, because: reason) }
        let isClosed = state.withLock { state in
            state.change = change
            return state.isClosed
        }
        defer { state.withLock { $0.change = nil } }
        if isClosed { change.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await change.value
            } onCancel: {
                change.cancel()
            }
        } catch is CancellationError where state.withLock({ $0.isClosed }) {
            throw EchoError.conversationClosed
        }
    }

    private func goOn(in mode: EchoMode, because reason: ModeChangeReason) async throws {
        let old = current
        guard !state.withLock({ $0.isClosed }) else { throw EchoError.conversationClosed }
        guard old.mode != mode else { return }
        try await old.pause()
        let new: any ConversationEngine
        do {
            new = try await makeEngine(mode, context)
        } catch {
            await old.resume()
            if !(error is CancellationError) { await context.emit(.error(error)) }
            throw error
        }
        guard take(new) else {
            await new.close()
            throw EchoError.conversationClosed
        }
        await old.retire()
        await context.queue.record { $0.closeCalls(ResponseItem.switchedReason) }
        await context.emit(.modeChanged(mode, because: reason))
        for (id, transcript) in state.withLock({ $0.late }) { await new.fill(id, transcript: transcript) }
        tasks.add { [weak self] in
            await old.linger { [weak self] id, transcript in await self?.fill(id, transcript: transcript) }
        }
    }

    /// Makes the engine the conversation's, unless the conversation is closed.
    private func take(_ engine: any ConversationEngine) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.engine = engine
            state.number += 1
            return true
        }
    }

    /// Fills in the text of a message that the user spoke to an earlier engine.
    private func fill(_ id: String, transcript: String) async {
        let engine = state.withLock { state in
            state.late[id] = transcript
            return state.engine
        }
        await engine.fill(id, transcript: transcript)
    }

    /// Continues in text, since the voice engine cannot.
    func fallBackToText(_ reason: ModeChangeReason) {
        tasks.add { [weak self] in
            guard let self else { return }
            // A failure is reported as an event: no caller waits here.
            try? await change(to: .text, because: reason)
        }
    }
}
