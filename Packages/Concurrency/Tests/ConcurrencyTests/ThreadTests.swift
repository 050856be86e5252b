// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ThreadTests {
    private struct Refused: Error, Equatable {}

    /// An actor that says which thread it runs on.
    private actor Worker {
        private let executor = QueueExecutor(label: "worker")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var order: [Int] = []

        func work(_ number: Int) { order.append(number) }
    }

    @Test func `a detached thread has its name, blocks SIGPIPE and ends`() async throws {
        let (facts, told) = AsyncStream.makeStream(of: (String, Bool).self)
        #expect(
            DetachedThread.start(name: "a name of more than 15 bytes") {
                let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
                var signals = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &signals)
                told.yield((name, sigismember(&signals, SIGPIPE) == 1))
                told.finish()
            })
        var all: [(String, Bool)] = []
        for await fact in facts { all.append(fact) }
        #expect(all.count == 1 && all.first?.0 == "a name of more \n" && all.first?.1 == true)
    }

    @Test func `an actor on a queue runs one job at a time, and blocks nobody else`() async {
        let worker = Worker()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { await worker.work(number) } }
        }
        #expect(await worker.order.sorted() == Array(0..<100))
    }

    @Test func `a blocking call gives its value or its error`() async throws {
        #expect(await BlockingCall.run { 7 } == 7)
        let error = await #expect(throws: Refused.self) {
            try await BlockingCall.run { () throws(Refused) -> Int in throw Refused() }
        }
        #expect(error == Refused())
    }

    @Test func `many blocking calls at once do not wait for each other`() async {
        // More than the cooperative pool has threads: each waits for all others.
        final class Counter: Sendable { let value = Guarded(0) }
        let (count, entered) = (24, Counter())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await BlockingCall.run {
                        entered.value.withLock { $0 += 1 }
                        while entered.value.withLock({ $0 }) < count { sched_yield() }
                    }
                }
            }
        }
        #expect(entered.value.withLock { $0 } == count)
    }
}
