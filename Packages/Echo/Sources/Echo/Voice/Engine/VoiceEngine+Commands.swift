// SPDX-License-Identifier: MIT

import Concurrency

/// The program's commands.
extension VoiceEngine {
    func send(_ text: String, deltas: (@Sendable (String) -> Void)?) async throws {
        try await line.enter()
        defer { line.leave() }
        guard phase == .running else { throw ConversationEngineClosed() }
        // Report an invalid tool before anything is said.
        _ = try context.tools.registered()
        let id = await context.queue.makeID()
        guard phase != .closed else { throw ConversationEngineClosed() }
        try await obey(deltas: deltas) { .say($0, id: id, text: text) }
    }

    func submit(_ results: [ToolResult]) async throws {
        try await line.enter()
        defer { line.leave() }
        guard phase == .running else { throw ConversationEngineClosed() }
        try await obey { .submit($0, results) }
    }

    func pendingToolCalls() -> [ToolCall] { machine.pendingCalls }

    func beginUserTurn() { feed(.command(.beginTurn)) }

    func endUserTurn() { feed(.command(.endTurn)) }

    func interruptAssistant() async throws { try await obey { .interrupt($0) } }

    func setMuted(_ muted: Bool) async throws {
        guard let stream else { throw ConversationEngineClosed() }
        feed(.command(.mute(muted)))
        await stream.setMuted(muted)
    }

    // MARK: Waiting

    /// Gives a command, and returns when it is done.
    ///
    /// - Parameter deltas: Receives the text of the answer.
    func obey(deltas: (@Sendable (String) -> Void)? = nil, _ command: (Int) -> VoiceCommand) async throws {
        lastNumber += 1
        let number = lastNumber
        feed(.command(command(number)))
        let failure: VoiceFailure? = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard phase != .closed, !Task.isCancelled else {
                    return continuation.resume(throwing: CancellationError())
                }
                callers[number] = Caller(continuation: continuation, deltas: deltas)
            }
        } onCancel: {
            tasks.add { await self.cancel(number) }
        }
        if let failure { throw EchoError(failure, last: lastError) }
    }

    /// Cancels a caller's wait: the turn ends.
    private func cancel(_ number: Int) {
        guard let caller = callers.removeValue(forKey: number) else { return }
        lastNumber += 1
        feed(.command(.interrupt(lastNumber)))
        caller.continuation.resume(throwing: CancellationError())
    }

    func releaseCallers() {
        let all = callers
        callers = [:]
        for caller in all.values { caller.continuation.resume(returning: nil) }
    }

    // MARK: Effects

    func performEffect(_ effect: VoiceEffect) async {
        switch effect {
        case .messages(let changes): await apply(changes)
        case .emit(let detail): await context.emit(detail)
        case .done(let number, let failure):
            callers.removeValue(forKey: number)?.continuation.resume(returning: failure)
        case .reached(let outcome): outcome.resolve(.success(()))
        }
    }
}
