// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct PostgresLoopTests {
    private final class Member: LoopMember {
        func ready(_ readiness: SocketQueue.Readiness) {}
        func expire(at now: MonotonicTime) -> MonotonicTime { .never }
    }

    @Test func `the thread ends when its last member left before its last job`() async throws {
        weak var ended: PostgresLoop?
        do {
            let (loop, member) = (try PostgresLoop(), Member())
            ended = loop
            loop.add(member)
            loop.stop()
            await Task(executorPreference: loop) {
                Task(executorPreference: loop) {}
                loop.remove(member)
            }.value
        }
        try await eventually("the loop is released") { ended == nil }
    }
}
