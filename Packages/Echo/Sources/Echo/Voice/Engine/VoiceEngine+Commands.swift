// SPDX-License-Identifier: MIT

import Concurrency

/// The program's commands.
extension VoiceEngine {
    func send(_ text: String, deltas: (@Sendable (String) -> Void)?) async throws {
        try await line.enter()
        defer { line.leave() }
        guard phase == .running else { throw ConversationEngineClosed() }
        guard handedOver.isEmpty else {
            throw EchoError.toolExecutionFailed(
                "The calls \(handedOver.map(\.id).joined(separator: ", ")) wait for results: submit them first.")
        }
        // Report an invalid tool before anything is said.
        _ = try context.tools.registered()
        listToolsOfServers()
        let id = await context.queue.makeID()
        guard phase != .closed else { throw ConversationEngineClosed() }
        lastNumber += 1
        let number = lastNumber
        listener = deltas.map { (number, $0) }
        defer { listener = nil }
        feed(.command(.say(number, id: id, text: text)))
        try await wait(for: number)
    }

    func submit(_ results: [ToolResult]) async throws {
        try await line.enter()
        defer { line.leave() }
        guard phase == .running else { throw ConversationEngineClosed() }
        for result in results where !handedOver.contains(where: { $0.id == result.callID }) {
            throw EchoError.toolExecutionFailed("No call \(result.callID) waits for a result.")
        }
        for result in results {
            handedOver.removeAll { $0.id == result.callID }
            feed(.toolAnswered(result))
        }
        guard handedOver.isEmpty else { return }
        let number: Int
        if let openTurn {
            number = openTurn
            self.openTurn = nil
        } else {
            lastNumber += 1
            number = lastNumber
            effects.yield(.awaitTurn(number))
        }
        try await wait(for: number)
    }

    func pendingToolCalls() -> [ToolCall] { handedOver }

    func beginUserTurn() { feed(.command(.beginTurn)) }

    func endUserTurn() { feed(.command(.endTurn)) }

    func interruptAssistant() async throws {
        let open = handedOver
        handedOver = []
        openTurn = nil
        // Interrupt first: the results must not make the model continue.
        lastNumber += 1
        let number = lastNumber
        feed(.command(.interrupt(number)))
        for call in open {
            feed(.toolAnswered(ToolResult(callID: call.id, output: "The user interrupted.", isError: true)))
        }
        try await wait(for: number)
    }

    func setMuted(_ muted: Bool) async throws {
        guard let stream else { throw ConversationEngineClosed() }
        isMuted = muted
        await stream.setMuted(muted)
    }

    // MARK: Waiting

    /// Gives a command, and returns when it is done.
    func obey(_ command: (Int) -> VoiceCommand) async throws {
        lastNumber += 1
        let number = lastNumber
        feed(.command(command(number)))
        try await wait(for: number)
    }

    private func wait(for number: Int) async throws {
        let failure: VoiceFailure? = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard phase != .closed, !Task.isCancelled else {
                    return continuation.resume(throwing: CancellationError())
                }
                waiting[number] = continuation
            }
        } onCancel: {
            tasks.add { await self.cancel(number) }
        }
        guard let failure else { return }
        // An end that the program or the user requested is no failure.
        if failure == .stopped, phase != .running { return }
        throw EchoError(failure, last: lastError)
    }

    /// Cancels a caller's wait: the turn ends.
    private func cancel(_ number: Int) {
        guard let continuation = waiting.removeValue(forKey: number) else { return }
        lastNumber += 1
        feed(.command(.interrupt(lastNumber)))
        continuation.resume(throwing: CancellationError())
    }

    func endWaiting(_ failure: VoiceFailure?) {
        let all = waiting
        waiting = [:]
        for continuation in all.values { continuation.resume(returning: failure) }
    }

    // MARK: Effects

    func perform(_ effect: VoiceEffect) async {
        switch effect {
        case .messages(let changes): await apply(changes)
        case .emit(let detail): await context.emit(detail)
        case .done(let number, let failure):
            if spokenTurn == number { spokenTurn = nil }
            if openTurn == number { openTurn = nil }
            waiting.removeValue(forKey: number)?.resume(returning: failure)
        case .handedOver:
            // The program continues; the turn continues when it has the results.
            guard !handedOver.isEmpty, let number = waiting.keys.max() else { break }
            openTurn = spokenTurn == number ? nil : number
            spokenTurn = nil
            waiting.removeValue(forKey: number)?.resume(returning: nil)
        case .awaitTurn(let number): spokenTurn = number
        case .turnEnded:
            guard let number = spokenTurn else { break }
            spokenTurn = nil
            waiting.removeValue(forKey: number)?.resume(returning: nil)
        case .reached(let outcome): outcome.resolve(.success(()))
        }
    }
}
