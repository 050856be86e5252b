// SPDX-License-Identifier: MIT

import Synchronization
import TestKit
import Testing

@Suite("Waits of tests", .timeLimit(.minutes(5)))
struct WaitingTests {
    @Test func `a condition is checked until it holds`() async throws {
        var checks = 0
        try await eventually {
            checks += 1
            return checks == 3
        }
        #expect(checks == 3)
    }

    @Test func `a cancelled wait names the condition and its place`() async throws {
        let wait = Task { try await eventually("the door is open") { false } }
        wait.cancel()
        let error = await #expect(throws: ConditionNeverHeld.self) { try await wait.value }
        #expect(error?.description.contains("WaitingTests.swift") == true)
        #expect(error?.description.contains("the door is open never held") == true)
    }

    @Test func `a condition that throws ends the wait`() async {
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await eventually { throw Broken() } }
    }

    @Test func `a task waits for its cancellation`() async {
        let ended = Mutex(false)
        let task = Task {
            await untilCancelled()
            ended.withLock { $0 = true }
        }
        await disturbOrder(10)
        #expect(!ended.withLock { $0 })
        task.cancel()
        await task.value
        #expect(ended.withLock { $0 })
    }

    @Test func `a task can cancel itself`() async {
        let task = Task {
            cancelCurrentTask()
            return Task.isCancelled
        }
        #expect(await task.value)
    }
}
