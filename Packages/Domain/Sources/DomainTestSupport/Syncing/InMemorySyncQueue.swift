// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// A `SyncQueue` that forgets everything when it is released.
public actor InMemorySyncQueue: SyncQueue {
    private var stored: [SyncItem] = []
    private var lastID: Int64 = 0
    private var watchers: [AsyncStream<Void>.Continuation] = []

    /// An empty queue.
    public init() {}

    /// Adds work, unless the queue has it.
    public func add(_ work: SyncItem.Work, at time: Date = Date(timeIntervalSince1970: 1_700_000_000)) {
        guard !stored.contains(where: { $0.work == work }) else { return }
        lastID += 1
        stored.append(SyncItem(id: lastID, work: work, stage: .waiting, attempts: 0, createdAt: time))
        for watcher in watchers { watcher.yield() }
    }

    /// See `SyncQueue`.
    public func items() throws -> [SyncItem] {
        try Task.checkCancellation()
        return stored
    }

    /// See `SyncQueue`.
    public func retry(_ id: Int64) throws { set(.waiting, of: try poisoned(id)) }

    /// See `SyncQueue`.
    public func discard(_ id: Int64) throws {
        let poisoned = try poisoned(id)
        stored.removeAll { $0.id == poisoned.id }
    }

    /// Starts the oldest item that waits; nil if there is none.
    func take() -> SyncItem? {
        guard let item = stored.first(where: { $0.stage == .waiting }) else { return nil }
        set(.sending, of: item)
        return item
    }

    /// Ends an attempt: the item is done (nil), waits again, or is poisoned.
    func settle(_ item: SyncItem, _ stage: SyncItem.Stage?) {
        if let stage { set(stage, of: item) } else { stored.removeAll { $0.id == item.id } }
    }

    /// The count of items that are not poisoned.
    var waitingCount: Int { stored.count { if case .poisoned = $0.stage { false } else { true } } }

    /// An element for each addition; several between two reads are one.
    func additions() -> AsyncStream<Void> {
        let (stream, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        watchers.append(entry)
        return stream
    }

    private func poisoned(_ id: Int64) throws -> SyncItem {
        try Task.checkCancellation()
        guard let item = stored.first(where: { $0.id == id }), case .poisoned = item.stage else {
            throw DomainError.notFound("stuck item \(id)")
        }
        return item
    }

    private func set(_ stage: SyncItem.Stage, of item: SyncItem) {
        guard let index = stored.firstIndex(where: { $0.id == item.id }) else { return }
        let attempts = stored[index].attempts + (stage == .sending ? 1 : 0)
        stored[index] = SyncItem(
            id: item.id, work: item.work, stage: stage, attempts: attempts, createdAt: item.createdAt)
    }
}

/// A `SyncWorker` over an ``InMemorySyncQueue`` that hands work to the test. It does not pause.
public struct ScriptedSyncWorker: SyncWorker {
    private let queue: InMemorySyncQueue
    private let send: @Sendable (SyncItem.Work) async throws -> Void

    /// A worker; `send` does the work at the server.
    public init(_ queue: InMemorySyncQueue, send: @escaping @Sendable (SyncItem.Work) async throws -> Void) {
        self.queue = queue
        self.send = send
    }

    /// See `SyncWorker`.
    public func run(report: @escaping @Sendable (SyncReport) async -> Void) async throws {
        let additions = await queue.additions()
        while try await drain(report: report) > 0 {}
        for await _ in additions { while try await drain(report: report) > 0 {} }
        throw CancellationError()
    }

    /// See `SyncWorker`.
    public func drain(report: @escaping @Sendable (SyncReport) async -> Void) async throws -> Int {
        try Task.checkCancellation()
        while let item = await queue.take() {
            do {
                try await send(item.work)
                await queue.settle(item, nil)
                await report(.done(item.work))
            } catch let error as DomainError where error.isTransient {
                await queue.settle(item, .waiting)
                await report(.postponed(item.work, error))
                break
            } catch let error as DomainError {
                await queue.settle(item, .poisoned(error.code))
                await report(.poisoned(item.work, error.code))
            } catch {
                await queue.settle(item, .waiting)
                throw error
            }
        }
        return await queue.waitingCount
    }
}
