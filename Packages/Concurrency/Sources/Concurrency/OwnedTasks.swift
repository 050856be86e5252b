// SPDX-License-Identifier: MIT

/// Tasks that end with their owner, which calls ``close()`` or ``cancel()``.
public final class OwnedTasks: Sendable {
    /// No tasks yet.
    public init() {}

    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var next = 0
        var isClosed = false
    }

    private let state = Guarded(State())

    /// Runs `operation` in a new task; does nothing after ``close()`` or ``cancel()``.
    public func add(_ operation: @escaping @Sendable () async -> Void) {
        state.withLock { owned in
            guard !owned.isClosed else { return }
            let number = owned.next
            owned.next += 1
            // Made in the lock, so that `close()` finds every task.
            owned.tasks[number] = Task { [self] in
                await operation()
                state.withLock { $0.tasks[number] = nil }
            }
        }
    }

    /// Cancels all tasks and waits until they have ended. No more are taken.
    public func close() async {
        let tasks = state.withLock { state -> [Task<Void, Never>] in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Cancels all tasks without waiting for them. No more are taken.
    public func cancel() {
        let tasks = state.withLock { state -> [Task<Void, Never>] in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
