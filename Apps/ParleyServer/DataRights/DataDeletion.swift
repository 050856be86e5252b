// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials

/// Deletes everything of an account but the account itself and its receipts.
struct DataDeletion: Sendable {
    let store: DeletionStore
    let folder: SoundFolder
    let disk: DiskQueue
    let clock: AuthClock
    /// Removes all results of an account; how many.
    let removeResults: @Sendable (_ account: String) async throws -> Int
    /// What was asked for and not begun yet.
    private let orders: AsyncStream<Order>
    private let entry: AsyncStream<Order>.Continuation

    private struct Order: Sendable {
        let account: String
        let receipt: CheckedContinuation<Result<DeletionReceipt, any Error>, Never>
    }

    init(
        store: DeletionStore, folder: SoundFolder, disk: DiskQueue, clock: AuthClock,
        removeResults: @escaping @Sendable (_ account: String) async throws -> Int
    ) {
        (self.store, self.folder, self.disk, self.clock) = (store, folder, disk, clock)
        self.removeResults = removeResults
        (orders, entry) = AsyncStream.makeStream()
    }

    /// Deletes, and gives the receipt once all of it is gone. It goes on when who asked for it goes away: else the rest would
    /// be deleted later, and with it what came in between.
    func run(for account: String) async throws -> DeletionReceipt {
        try await withCheckedContinuation { continuation in
            let order = Order(account: account, receipt: continuation)
            if case .enqueued = entry.yield(order) { return }
            continuation.resume(returning: .failure(CancellationError()))
        }.get()
    }

    /// Carries out what is asked for, one after the other, until ``finish()``.
    func work() async {
        for await order in orders {
            do {
                let id = UUID().uuidString.lowercased()
                try await store.ask(id, of: order.account, at: clock.now())
                order.receipt.resume(returning: .success(try await carryOut(id, of: order.account)))
            } catch {
                order.receipt.resume(returning: .failure(error))
            }
        }
    }

    /// No more orders; ``work()`` returns when those that wait are carried out.
    func finish() { entry.finish() }

    /// Finishes what an earlier server began; before anybody is let in.
    func resume() async throws {
        for (id, account) in try await store.open() { _ = try await carryOut(id, of: account) }
    }

    private func carryOut(_ id: String, of account: String) async throws -> DeletionReceipt {
        let results = try await removeResults(account)
        let counts = try await store.removeRows(id, of: account, results: results)
        try await disk.run { [folder] in try folder.removeAll(of: account) }
        let now = clock.now()
        try await store.close(id, at: now)
        return DeletionReceipt(
            id: id, place: .server, deletedAt: RecordingRow.date(now.milliseconds), counts: counts)
    }
}
