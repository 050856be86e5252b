// SPDX-License-Identifier: MIT

public import Domain

/// An empty queue, and ways to change it.
public struct SyncQueueSubject: Sendable {
    let queue: any SyncQueue
    let add: @Sendable () async throws -> SyncItem.Work
    let fail: @Sendable () async throws -> Void

    /// A subject.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - add: Adds new work each time, as the newest item.
    ///   - fail: Refuses the oldest item that waits, so that it is poisoned.
    public init(
        queue: any SyncQueue, add: @escaping @Sendable () async throws -> SyncItem.Work,
        fail: @escaping @Sendable () async throws -> Void
    ) {
        self.queue = queue
        self.add = add
        self.fail = fail
    }

    fileprivate func poisoned() async throws -> SyncItem {
        _ = try await add()
        try await fail()
        let poisoned = try await queue.items().filter { if case .poisoned = $0.stage { true } else { false } }
        try require(poisoned.count == 1, "\(poisoned.count) poisoned items")
        return poisoned[0]
    }
}

/// The contract of `SyncQueue`.
public enum SyncQueueContract {
    /// Every promise.
    public static let checks: [ContractCheck<SyncQueueSubject>] = [
        .init("nothing waits at first") { subject in
            try await require(subject.queue.items().isEmpty, "something out of nothing")
        },
        .init("what waits is listed, the oldest first, each with an id of its own") { subject in
            var added: [SyncItem.Work] = []
            for _ in 0..<5 { added.append(try await subject.add()) }
            let items = try await subject.queue.items()
            try require(items.map(\.work) == added, "another order")
            try require(Set(items.map(\.id)).count == 5, "one id for two")
            try require(items.allSatisfy { $0.stage == .waiting && $0.attempts == 0 }, "they do not just wait")
            try await require(subject.queue.items() == items, "it changed by itself")
        },
        .init("only a poisoned item can be tried again or given up") { subject in
            _ = try await subject.add()
            let waiting = try await subject.queue.items()[0].id
            for change in [subject.queue.retry, subject.queue.discard] {
                for id in [waiting, waiting + 1_000, -1] {
                    try await requireError(code: "notFound") { try await change(id) }
                }
            }
            try await require(subject.queue.items().map(\.id) == [waiting], "it changed all the same")
        },
        .init("a poisoned item says why, and waits again when it is tried again") { subject in
            let poisoned = try await subject.poisoned()
            if case .poisoned(let reason) = poisoned.stage { try require(!reason.isEmpty, "no reason") }
            try await subject.queue.retry(poisoned.id)
            let items = try await subject.queue.items()
            try require(items.map(\.id) == [poisoned.id] && items[0].stage == .waiting, "not \(items)")
            try await requireError(code: "notFound") { try await subject.queue.retry(poisoned.id) }
        },
        .init("a poisoned item that is given up is gone, and nothing else") { subject in
            let poisoned = try await subject.poisoned()
            let other = try await subject.add()
            try await subject.queue.discard(poisoned.id)
            try await require(subject.queue.items().map(\.work) == [other], "others are there")
            try await requireError(code: "notFound") { try await subject.queue.discard(poisoned.id) }
        },
        .init("of those who give an item up at the same time one does") { subject in
            let poisoned = try await subject.poisoned()
            let outcomes = Collected<String>()
            try await concurrently(6) { _ in
                do {
                    try await subject.queue.discard(poisoned.id)
                    await outcomes.add("done")
                } catch let error as DomainError {
                    await outcomes.add(error.code)
                }
            }
            let all = await outcomes.all.sorted()
            try require(all == ["done"] + Array(repeating: "notFound", count: 5), "they had \(all)")
            try await require(subject.queue.items().isEmpty, "still there")
        },
        .init("a cancelled change changes nothing and says so") { subject in
            let poisoned = try await subject.poisoned()
            try await requireCancelled { try await subject.queue.discard(poisoned.id) }
            try await requireCancelled { _ = try await subject.queue.items() }
            try await require(subject.queue.items() == [poisoned], "changed all the same")
        },
    ]
}

/// A worker with an empty queue, and ways to add work and failures.
public struct SyncWorkerSubject: Sendable {
    let worker: any SyncWorker
    let queue: any SyncQueue
    let add: @Sendable () async throws -> SyncItem.Work
    let fail: @Sendable (DomainError) async -> Void
    let sent: @Sendable () async -> [SyncItem.Work]

    /// A subject.
    ///
    /// - Parameters:
    ///   - worker: The worker. Its pauses end at once, or its clock runs fast.
    ///   - queue: Its queue.
    ///   - add: Adds new work each time, as the newest item. It is not an upload.
    ///   - fail: Lets the next attempt fail.
    ///   - sent: The work that the server has done, in order; repeated work is listed twice.
    public init(
        worker: any SyncWorker, queue: any SyncQueue, add: @escaping @Sendable () async throws -> SyncItem.Work,
        fail: @escaping @Sendable (DomainError) async -> Void, sent: @escaping @Sendable () async -> [SyncItem.Work]
    ) {
        self.worker = worker
        self.queue = queue
        self.add = add
        self.fail = fail
        self.sent = sent
    }

    fileprivate func add(_ count: Int) async throws -> [SyncItem.Work] {
        var works: [SyncItem.Work] = []
        for _ in 0..<count { works.append(try await add()) }
        return works
    }
}

/// The contract of `SyncWorker`.
public enum SyncWorkerContract {
    private static let offline = DomainError.offline("There is no route.")

    /// Every promise.
    public static let checks: [ContractCheck<SyncWorkerSubject>] = [
        .init("with nothing to do it is done at once") { subject in
            try await require(subject.worker.drain { _ in } == 0, "something waits")
            try await require(subject.sent().isEmpty, "something was sent")
        },
        .init("what waits is sent once, in order, and reported") { subject in
            let works = try await subject.add(4)
            let reports = Collected<SyncReport>()
            try await require(subject.worker.drain { await reports.add($0) } == 0, "something waits")
            try await require(subject.sent() == works, "not sent, or in another order")
            try await require(reports.all == works.map(SyncReport.done), "reported otherwise")
            try await require(subject.queue.items().isEmpty, "still in the queue")
            try await require(subject.worker.drain { _ in } == 0, "something waits")
            try await require(subject.sent() == works, "sent again")
        },
        .init("without a network everything waits, and is sent by the next drain") { subject in
            let works = try await subject.add(3)
            await subject.fail(offline)
            let reports = Collected<SyncReport>()
            try await require(subject.worker.drain { await reports.add($0) } == 3, "not all wait")
            try await require(reports.all == [.postponed(works[0], offline)], "reported otherwise")
            try await require(subject.worker.drain { _ in } == 0, "something waits")
            try await require(subject.sent() == works, "not sent, or in another order")
        },
        .init("what is turned down is poisoned, and holds nothing else up") { subject in
            let works = try await subject.add(2)
            await subject.fail(.invalidInput("It is not as it should be."))
            let reports = Collected<SyncReport>()
            try await require(subject.worker.drain { await reports.add($0) } == 0, "it waits to be tried again")
            try await require(subject.sent() == [works[1]], "the other one was not sent")
            let all = await reports.all
            guard all.count == 2, case .poisoned(works[0], let reason) = all[0], !reason.isEmpty else {
                throw BrokenContract(description: "reported as \(all)")
            }
            try await require(subject.queue.items().map(\.work) == [works[0]], "not in the queue")
        },
        .init("drains at the same time send each thing once") { subject in
            let works = try await subject.add(12)
            try await concurrently(4) { _ in _ = try await subject.worker.drain { _ in } }
            try await require(subject.sent().count == 12, "lost or doubled")
            try await require(Set(subject.sent()) == Set(works), "others were sent")
        },
        .init("running sends what comes, goes on after a failure, and ends by cancellation") { subject in
            let (reports, entry) = AsyncStream<SyncReport>.makeStream()
            let task = Task {
                defer { entry.finish() }
                try await subject.worker.run { entry.yield($0) }
            }
            var iterator = reports.makeAsyncIterator()
            for isFailing in [false, true, false] {
                if isFailing { await subject.fail(offline) }
                let work = try await subject.add()
                if isFailing { try await require(iterator.next() == .postponed(work, offline), "not postponed") }
                try await require(iterator.next() == .done(work), "not sent")
            }
            task.cancel()
            try await requireCancellationError { try await task.value }
            try await require(subject.sent().count == 3, "lost or doubled")
        },
    ]
}
