// SPDX-License-Identifier: MIT

/// Tasks that end with their owner, which calls ``close()`` or ``cancel()``.
public final class OwnedTasks: Sendable {
    /// No tasks yet.
    public init() {}

    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var finished: Set<Int> = []
        var next = 0
        var isClosed = false
    }

    private let state = Guarded(State())

    /// Runs `operation` in a new task; does nothing after ``close()`` or ``cancel()``.
    public func add(_ operation: @escaping @Sendable () async -> Void) {
        let number: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            defer { state.next += 1 }
            return state.next
        }
        guard let number else { return }
        let task = Task { [self] in
            await operation()
            finish(number)
        }
        let isLate = state.withLock { state in
            if state.finished.remove(number) == nil { state.tasks[number] = task }
            return state.isClosed
        }
        if isLate { task.cancel() }
    }

    private func finish(_ number: Int) {
        state.withLock { state in
            // It may end before its handle is stored.
            if state.tasks.removeValue(forKey: number) == nil { state.finished.insert(number) }
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
