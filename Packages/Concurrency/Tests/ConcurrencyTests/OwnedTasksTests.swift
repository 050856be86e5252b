// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@Suite struct OwnedTasksTests {
    @Test func `closing cancels tasks and waits for their ends`() async {
        let tasks = OwnedTasks()
        let ended = Guarded(0)
        let (started, starting) = AsyncStream<Void>.makeStream()
        for _ in 0..<10 {
            tasks.add {
                starting.yield()
                let (never, end) = AsyncStream<Void>.makeStream()
                for await _ in never {}
                withExtendedLifetime(end) {}
                if Task.isCancelled { ended.withLock { $0 += 1 } }
            }
        }
        var count = 0
        for await _ in started {
            count += 1
            if count == 10 { break }
        }
        await tasks.close()
        #expect(ended.withLock { $0 } == 10)
    }

    @Test func `a task that is added while its owner closes has ended afterwards`() async {
        for _ in 0..<500 {
            let tasks = OwnedTasks()
            let running = Guarded(0)
            async let adding: Void = {
                for _ in 0..<10 {
                    tasks.add {
                        running.withLock { $0 += 1 }
                        await untilCancelled()
                        running.withLock { $0 -= 1 }
                    }
                }
            }()
            await tasks.close()
            await adding
            #expect(running.withLock { $0 } == 0)
        }
    }

    @Test func `a closed owner takes no more`() async {
        let tasks = OwnedTasks()
        tasks.cancel()
        tasks.add { Issue.record("It runs all the same.") }
        await tasks.close()
    }
}
