// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Echo

@Suite("Waits of the tests", .timeLimit(.minutes(5)))
struct CollectedTests {
    @Test("Who waits is told when enough is there, or at the end of the test's time what has come")
    func waiting() async throws {
        let collected = Collected<Int>()
        async let two = collected.first(2)
        collected.append(1)
        let vain = Task { try await collected.first(4) }
        collected.append(2)
        #expect(try await two == [1, 2])
        vain.cancel()
        let error = await #expect(throws: TimeIsOver.self) { try await vain.value }
        #expect(error?.description.hasPrefix("2 of 4 values have come: [1, 2]") == true)
        let late = Task {
            cancelCurrentTask()
            return try await collected.first(4)
        }
        await #expect(throws: TimeIsOver.self) { try await late.value }
    }
}
