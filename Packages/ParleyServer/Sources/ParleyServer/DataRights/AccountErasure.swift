// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import FoundationEssentials
import HTTPServer
import Networking

/// Deletes an account and all of its data.
///
/// One transaction deletes the account, its address and its sessions, and stores the erasure: before it, everything can
/// be used; after it, nobody can sign in to the account. The rest is then removed, again by maintenance, and by the
/// next server until all of it is gone. Maintenance repeats it for a day: a request that was in flight may have stored
/// something.
struct AccountErasure: Sendable {
    let accounts: any AuthStore
    let store: DeletionStore
    let practice: any PracticeStorage
    let sync: SyncStore
    let sounds: SoundRemoval
    let queue: DeletionQueue
    let clock: AuthClock
    let logger: Logger

    /// Deletes the token's account, and returns the receipt once all of its data is deleted.
    ///
    /// - Throws: `AuthServerError`, and ``HTTPServer/ServerProblem`` if the account is deleted and some of its data is
    ///   not yet.
    func run(_ accessToken: String, _ service: AuthService) async throws -> DeletionReceipt {
        try await run { id in try await service.erase(accessToken: accessToken, id: id, count: count) }
    }

    /// Deletes an account for the operator, in the same way.
    ///
    /// - Throws: `AuthServerError` with the code `userNotFound`, and what ``run(_:_:)`` throws.
    func run(account: String, _ service: AuthService) async throws -> DeletionReceipt {
        try await run { id in try await service.erase(account: account, id: id, count: count) }
    }

    @Sendable private func count(_ account: String) async throws -> [String: Int] {
        var counts = try await store.usage(of: account)
        counts["results"] = try await practice.extent(of: account).results
        counts["objects"] = try await sync.usage(of: account).objects
        return counts
    }

    private func run(_ erase: @escaping @Sendable (_ id: String) async throws -> Erasure) async throws
        -> DeletionReceipt
    {
        try await queue.run {
            let erasure = try await erase(UUID().uuidString.lowercased())
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

    /// Finishes open erasures. One that fails again stays open, and delays neither the others nor the server.
    func resume() async {
        do {
            for erasure in try await accounts.read({ try await $0.erasures() }) {
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
        try await practice.erase(erasure.account)
        try await sync.erase(erasure.account)
        try await sounds.removeUnknown(of: erasure.account)
        guard erasure.doneAt == nil else { return }
        let done = Erasure(
            id: erasure.id, account: erasure.account, askedAt: erasure.askedAt, counts: erasure.counts,
            doneAt: clock.now())
        try await accounts.transaction { try await $0.put(done) }
    }
}

extension ServerProblem {
    /// 503: the account is closed, and the server continues to remove its data.
    static let erasureUnfinished = ServerProblem(
        status: 503,
        detail:
            "The account is deleted, but not yet all of its data. The server continues to delete it. Ask again for the receipt.",
        members: ["error_code": .string("erasure_unfinished")], headers: ["Retry-After": "60"])
}
