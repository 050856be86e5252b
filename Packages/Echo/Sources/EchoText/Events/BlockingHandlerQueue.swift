// SPDX-License-Identifier: MIT

import Concurrency

/// Calls one synchronous handler, event after event, on a queue of its own: a handler that blocks delays only itself,
/// and no thread of Swift's pool.
final class BlockingHandlerQueue: Sendable {
    private struct Pending {
        var events: ArraySlice<EchoEvent> = []
        var isRunning = false
        var isEnded = false
    }

    private let handler: @Sendable (EchoEvent) -> Void
    private let limit: Int
    private let pending = Guarded(Pending())
    private let queue = QueueExecutor(label: "parley.echo.handler")
    let dropped = EventCount()

    init(limit: Int, handler: @escaping @Sendable (EchoEvent) -> Void) {
        self.limit = limit
        self.handler = handler
    }

    func add(_ event: EchoEvent) {
        let mustRun = pending.withLock { pending in
            guard !pending.isEnded else { return false }
            if pending.events.count >= limit {
                pending.events.removeFirst()
                dropped.add()
            }
            pending.events.append(event)
            defer { pending.isRunning = true }
            return !pending.isRunning
        }
        if mustRun { queue.run { self.run() } }
    }

    /// Drops the waiting events, and accepts no more.
    func end() {
        pending.withLock { pending in
            pending.events = []
            pending.isEnded = true
        }
    }

    private func run() {
        while let event = next() { handler(event) }
    }

    private func next() -> EchoEvent? {
        pending.withLock { pending in
            let event = pending.events.popFirst()
            if event == nil { pending.isRunning = false }
            return event
        }
    }
}
