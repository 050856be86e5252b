// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials

/// Deletes all data of an account except the account itself and its receipts.
///
/// The transaction that removes the recordings' rows also stores the order, with the extent of the deletion. An order
/// that fails half way is finished by the client's next attempt, by maintenance or by the next server, and never
/// touches data that was stored after it.
struct DataDeletion: Sendable {
    let store: DeletionStore
    let practice: any PracticeStorage
    let sync: SyncStore
    let sounds: SoundRemoval
    let queue: DeletionQueue
    let clock: AuthClock
    let logger: Logger

    /// Deletes, and returns the receipt once everything is deleted.
    func run(for account: String) async throws -> DeletionReceipt {
        try await queue.run {
            let extent = try await practice.extent(of: account)
            let now = clock.now()
            let objects = try await sync.usage(of: account)
            let order = try await store.begin(UUID().uuidString.lowercased(), of: account, extent, objects, at: now)
            return try await carryOut(order)
        }
    }

    /// Finishes open orders. One that fails again stays open, and delays neither the others nor the server.
    func resume() async {
        do {
            for order in try await store.open() {
                do {
                    _ = try await carryOut(order)
                } catch {
                    logger.error(
                        "the deletion \(order.id, privacy: .public) is not finished: \(String(describing: error), privacy: .public)"
                    )
                }
            }
        } catch {
            logger.error("open deletions cannot be read: \(String(describing: error), privacy: .public)")
        }
    }

    private func carryOut(_ order: DeletionOrder) async throws -> DeletionReceipt {
        let lastChange: Int64
        if let known = order.lastChange {
            lastChange = known
        } else {
            // An earlier version's order, whose rows still exist.
            let asked = RecordingRow.date(order.askedAt.milliseconds)
            let extent = try await practice.extent(of: order.account, practisedBefore: asked)
            try await store.removeRows(of: order, extent)
            lastChange = extent.lastChange
        }
        try await practice.deleteResults(of: order.account, through: lastChange)
        try await store.noteResultsRemoved(order.id)
        while case let count = try await sync.removeSome(of: order.account, through: order.lastObject), count > 0 {
            try await store.noteObjectsRemoved(count, order.id)
        }
        try await sounds.removeUnknown(of: order.account)
        let now = clock.now()
        let counts = try await store.close(order, at: now)
        return DeletionReceipt(
            id: order.id, place: .server, deletedAt: RecordingRow.date(now.milliseconds), counts: counts)
    }
}
