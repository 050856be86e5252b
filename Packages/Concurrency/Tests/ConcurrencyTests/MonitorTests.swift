// SPDX-License-Identifier: MIT

import Concurrency
import Testing

@Suite struct MonitorTests {
    @Test func `a condition that holds needs no wait`() async throws {
        let monitor = Monitor(3)
        try await monitor.wait { $0 == 3 }
        #expect(monitor.withLock { $0 } == 3)
    }

    @Test func `each change lets those go on whose condition holds`() async throws {
        let monitor = Monitor(0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for bound in 1...100 {
                group.addTask {
                    try await monitor.wait { $0 >= bound }
                    return bound
                }
            }
            for _ in 1...100 { monitor.withLock { $0 += 1 } }
            var bounds: Set<Int> = []
            for try await bound in group { bounds.insert(bound) }
            #expect(bounds == Set(1...100))
        }
    }

    @Test func `a change that throws is a change all the same`() async throws {
        struct Refusal: Error {}
        let monitor = Monitor(0)
        async let waited: Void = monitor.wait { $0 == 1 }
        #expect(throws: Refusal.self) {
            try monitor.withLock { state throws(Refusal) in
                state = 1
                throw Refusal()
            }
        }
        try await waited
    }

    @Test func `cancelling a task ends its wait alone`() async throws {
        let monitor = Monitor(false)
        let cancelled = Task { try await monitor.wait { $0 } }
        async let other: Void = monitor.wait { $0 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        monitor.withLock { $0 = true }
        try await other
    }
}
