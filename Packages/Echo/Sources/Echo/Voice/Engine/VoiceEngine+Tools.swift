// SPDX-License-Identifier: MIT

import Concurrency

/// Calls of tools in a voice conversation, and the tools that the session knows of.
extension VoiceEngine {
    /// Carries out calls in the order of the requests, several at once.
    func runTools() async {
        let slots = ToolSlots(max(executor.configuration.maximumParallelCalls, 1))
        await withTaskGroup(of: Void.self) { group in
            for await call in toolCalls {
                guard let prepared = await prepare(call), await slots.take() else { break }
                let (executor, preparation) = (executor, isWanted(call) ? prepared : Self.notWanted)
                group.addTask {
                    let result = try? await executor.result(of: call, preparation)
                    slots.giveBack()
                    guard let result else { return }
                    await self.feed(.toolAnswered(result))
                }
            }
            group.cancelAll()
        }
    }

    /// True unless the call's turn was interrupted.
    private func isWanted(_ call: ToolCall) -> Bool { machine.calls.running.contains(call.id) }

    private static let notWanted = ToolPreparation.refused("The call was not carried out.")

    private func prepare(_ call: ToolCall) async -> ToolPreparation? {
        guard isWanted(call) else { return Self.notWanted }
        do {
            let tools = try await context.tools.all()
            return try await executor.prepare(call, tools.first { $0.name == call.name })
        } catch is CancellationError where Task.isCancelled {
            return nil
        } catch {
            return .refused("The call failed: \(error)")
        }
    }

    // MARK: The list of tools

    /// Follows the registrations of tools.
    func watchTools() async {
        for await _ in context.tools.changes() { listTools() }
    }

    /// Gives the machine the list of tools.
    func listTools() {
        guard listing == .idle else {
            listing = .runningAgain
            return
        }
        listing = .running
        tasks.add { await self.listNow() }
    }

    private func listNow() async {
        do {
            feed(.command(.tools(try await context.tools.all().map(\.realtimeTool))))
        } catch {
            if !(error is CancellationError) { emit(.error(error)) }
        }
        let mustListAgain = listing == .runningAgain
        listing = .idle
        if mustListAgain { listTools() }
    }
}

/// The slots of calls that may run at once.
private final class ToolSlots: Sendable {
    private let state: Guarded<(free: Int, waiting: Promise<Void>?)>

    init(_ count: Int) { state = Guarded((count, nil)) }

    /// Waits until a call may run.
    ///
    /// - Returns: False when the task is cancelled.
    func take() async -> Bool {
        let outcome = Promise<Void>()
        let isFree = state.withLock { state in
            guard state.free > 0 else {
                state.waiting = outcome
                return false
            }
            state.free -= 1
            return true
        }
        return isFree ? true : (try? await outcome.valueOrGivingUp()) != nil
    }

    func giveBack() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.free += 1 }
            return state.waiting
        }
        waiting?.resolve(.success(()))
    }
}
