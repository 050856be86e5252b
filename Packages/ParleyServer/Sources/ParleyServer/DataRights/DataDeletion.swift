// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials

/// Deletes everything of an account but the account itself and its receipts.
///
/// The order is written down in the transaction that removes the recordings' rows, with the extent of what is to go: an order
/// that fails half way is finished by the client's next try, by housekeeping or by the next server, and never touches what was
/// stored after it.
struct DataDeletion: Sendable {
    let store: DeletionStore
    let practice: PracticeDatabase
    let sounds: SoundRemoval
    let queue: DeletionQueue
    let clock: AuthClock
    let logger: Logger

    /// Deletes, and gives the receipt once all of it is gone.
    func run(for account: String) async throws -> DeletionReceipt {
        try await queue.run {
            let extent = try await practice.extent(of: account)
            let now = clock.now()
            let order = try await store.begin(UUID().uuidString.lowercased(), of: account, extent, at: now)
            return try await carryOut(order)
        }
    }

    /// Finishes what is open. An order that fails again stays open, and keeps neither the others nor the server back.
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
            // An earlier version's order, whose rows are still there.
            let asked = RecordingRow.date(order.askedAt.milliseconds)
            let extent = try await practice.extent(of: order.account, practisedBefore: asked)
            try await store.removeRows(of: order, extent)
            lastChange = extent.lastChange
        }
        try await practice.deleteResults(of: order.account, through: lastChange)
        try await store.noteResultsRemoved(order.id)
        try await sounds.removeUnknown(of: order.account)
        let now = clock.now()
        let counts = try await store.close(order, at: now)
        return DeletionReceipt(
            id: order.id, place: .server, deletedAt: RecordingRow.date(now.milliseconds), counts: counts)
    }
}
