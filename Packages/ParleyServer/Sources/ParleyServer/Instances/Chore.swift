// SPDX-License-Identifier: MIT

import Persistence

/// A regular piece of maintenance. Of the instances on a shared database one runs it at a time, under a lease.
struct Chore: Sendable {
    let name: String
    /// The shortest time from its last end to its next start, on any instance.
    let period: Duration
    let database: any ServerDatabase
    let instance: ServerInstance

    /// Runs `body`, unless another instance does so now or did so within the period.
    ///
    /// - Parameter isForced: True if the period does not count.
    /// - Returns: False if `body` did not run to its end here.
    @discardableResult
    func run(isForced: Bool = false, _ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
        guard database.isShared else {
            try await body()
            return true
        }
        // An owner of its own, so that two runs of one instance exclude each other as well.
        let owner = instance.request()
        guard try await take(owner, isForced) else { return false }
        do {
            try await Lease.hold(renew: { try await renew(owner) }, body)
        } catch is LeaseLost {
            return false
        } catch {
            // Not in this task, which may be cancelled.
            let ending = Task { try? await end(owner, isDone: false) }
            await ending.value
            throw error
        }
        try await end(owner, isDone: true)
        return true
    }

    /// Runs every part; one that fails does not keep the later ones from being run.
    ///
    /// - Throws: The first error, after all were tried; `CancellationError` at once.
    static func runAll(_ parts: [@Sendable () async throws -> Void]) async throws {
        var failure: (any Error)?
        for part in parts {
            do { try await part() } catch let error as CancellationError { throw error } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func take(_ owner: String, _ isForced: Bool) async throws -> Bool {
        let milliseconds = isForced ? 0 : Int64(period / .milliseconds(1))
        return try await database.write { writer in
            // An end in the future, and a lease that no renewal makes, are of a database whose clock was ahead.
            try await writer.execute(
                """
                INSERT INTO chore (name, owner, lease_until, done_at)
                VALUES (\(name), \(owner), \(sql: writer.now) + \(Lease.milliseconds), 0)
                ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
                WHERE (chore.lease_until <= \(sql: writer.now)
                        OR chore.lease_until > \(sql: writer.now) + \(2 * Lease.milliseconds))
                    AND (chore.done_at <= \(sql: writer.now) - \(milliseconds) OR chore.done_at > \(sql: writer.now))
                """) == 1
        }
    }

    private func renew(_ owner: String) async throws -> Bool {
        try await database.write { writer in
            try await writer.execute(
                """
                UPDATE chore SET lease_until = \(sql: writer.now) + \(Lease.milliseconds)
                WHERE name = \(name) AND owner = \(owner)
                """) == 1
        }
    }

    private func end(_ owner: String, isDone: Bool) async throws {
        try await database.write { writer in
            try await writer.execute(
                """
                UPDATE chore SET lease_until = 0, done_at = \(sql: isDone ? writer.now : "done_at")
                WHERE name = \(name) AND owner = \(owner)
                """)
        }
    }
}
