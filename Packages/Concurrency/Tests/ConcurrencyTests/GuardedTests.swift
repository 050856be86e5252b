// SPDX-License-Identifier: MIT

import Concurrency
import Testing

@Suite(.timeLimit(.minutes(5))) struct GuardedTests {
    private struct Refused: Error {}

    /// A lock cannot be copied, so tasks share what has it.
    private final class Counter: Sendable { let value = Guarded(0) }

    @Test func `no change is lost among many tasks`() async {
        let count = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { count.value.withLock { $0 += 1 } } } }
        }
        #expect(count.value.withLock { $0 } == 80_000)
    }

    @Test func `an error leaves the lock free and the value as it was changed`() {
        let value = Guarded([1])
        #expect(throws: Refused.self) {
            try value.withLock { value throws(Refused) in
                value.append(2)
                throw Refused()
            }
        }
        #expect(value.withLock { $0 } == [1, 2])
    }
}
