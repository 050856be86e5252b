// SPDX-License-Identifier: MIT

import Concurrency
import Testing

struct WithCleanupTests {
    private struct Failure: Error {}

    @Test func `cleanup comes after the body, and its result is the body's`() async throws {
        var steps: [String] = []
        let value = try await withCleanup {
            steps.append("body")
            return 7
        } cleanup: {
            steps.append("cleanup")
        }
        #expect(value == 7)
        #expect(steps == ["body", "cleanup"])
    }

    @Test func `cleanup runs after an error and in a cancelled task`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let other = Task {}
            var isDone = false
            do {
                try await withCleanup {
                    throw Failure()
                } cleanup: {
                    await other.value
                    isDone = true
                }
                return false
            } catch {
                return error is Failure && isDone
            }
        }
        #expect(await task.value)
    }
}
