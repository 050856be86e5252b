// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import HTTPServer
import Networking

/// Deletes an account and everything that hangs on it.
///
/// The account, its address and its sessions go first, in one transaction that also writes down the erasure: before it,
/// everything can be used; after it, nobody gets in any more. The rest is removed then, and again by housekeeping and the next
/// server until all of it is gone. Housekeeping repeats it for a day: a request that was under way may have stored something.
struct AccountErasure: Sendable {
    let accounts: any AuthStore
    let store: DeletionStore
    let practice: PracticeDatabase
    let sounds: SoundRemoval
    let queue: DeletionQueue
    let clock: AuthClock
    let logger: Logger

    /// Deletes the account that a token speaks for, and gives the receipt once all of it is gone.
    ///
    /// - Throws: `AuthServerError`, and ``HTTPServer/ServerProblem`` when the account is gone and some of its data is not yet.
    func run(_ accessToken: String, _ service: AuthService) async throws -> DeletionReceipt {
        try await queue.run {
            let erasure = try await service.erase(accessToken: accessToken, id: UUID().uuidString.lowercased()) {
                var counts = try await store.usage(of: $0)
                counts["results"] = try await practice.extent(of: $0).results
                return counts
            }
            do {
                try await carryOut(erasure)
            } catch {
                logger.error(
                    "the erasure \(erasure.id, privacy: .public) is not finished: \(String(describing: error), privacy: .public)"
                )
                throw ServerProblem.erasureUnfinished
            }
            return DeletionReceipt(
                id: erasure.id, place: .server, deletedAt: RecordingRow.date(erasure.askedAt.milliseconds),
                counts: erasure.counts)
        }
    }

    /// Finishes what is open. An erasure that fails again stays open, and keeps neither the others nor the server back.
    func resume() async {
        do {
            for erasure in try await accounts.read({ try $0.erasures() }) {
                do {
                    try await carryOut(erasure)
                } catch {
                    logger.error(
                        "the erasure \(erasure.id, privacy: .public) is not finished: \(String(describing: error), privacy: .public)"
                    )
                }
            }
        } catch {
            logger.error("open erasures cannot be read: \(String(describing: error), privacy: .public)")
        }
    }

    private func carryOut(_ erasure: Erasure) async throws {
        try await store.removeAll(of: erasure.account)
        _ = try await practice.erase(owner: erasure.account)
        try await sounds.removeUnknown(of: erasure.account)
        guard erasure.doneAt == nil else { return }
        var done = erasure
        done.doneAt = clock.now()
        try await accounts.transaction { [done] in try $0.put(done) }
    }
}

extension ServerProblem {
    /// 503: nobody gets into the account any more, and the server goes on removing its data.
    static let erasureUnfinished = ServerProblem(
        status: 503,
        detail:
            "The account is deleted, and some of its data is not yet. The server goes on by itself. Ask again for the receipt.",
        members: ["error_code": .string("erasure_unfinished")], headers: ["Retry-After": "60"])
}
