// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import FoundationEssentials
import Persistence

/// Sealed messages that wait for another server; several processes share them by leases.
struct DeliveryStore: Sendable {
    /// The table of one kind of messages.
    enum Table: Sendable {
        /// Mails.
        case letters
        /// Events for the operator's hook.
        case notifications

        fileprivate var name: SQL {
            switch self {
            case .letters: "letter"
            case .notifications: "notification"
            }
        }
    }

    /// The state of a queue, for its operator.
    struct Summary: Sendable, Hashable {
        let count: Int
        /// The time at which the oldest message was queued; nil without one, or for one of an earlier version.
        let oldestAt: AuthTime?
        /// The newest reason of a failed attempt.
        let failure: String?
    }

    /// A message, claimed for one attempt.
    struct Delivery: Sendable, Hashable {
        let id: String
        let content: [UInt8]
        /// Counts the attempts, this one included.
        let attempt: Int
    }

    /// As long as a notification lives.
    private static let sealedMilliseconds: Int64 = 3 * 86_400_000

    let database: any ServerDatabase
    var table = Table.letters
    /// The pauses between attempts. A person waits for a mail, so its are short. No message is given up; each ends by its
    /// age.
    var backoff = Backoff(first: .seconds(4), longest: .seconds(60))
    /// The most messages that wait. Requests at the same time may go beyond it by their number.
    let capacity: Int
    var instance: ServerInstance = .home

    /// Stores a message.
    ///
    /// - Returns: False if the queue is full.
    func add(_ id: String, _ content: [UInt8]) async throws -> Bool {
        // Not in one transaction: else every request would get in the way of all others.
        guard try await count() < capacity else { return false }
        do { try await insert(id, content) } catch let error as DatabaseError where error.code == .commitUnknown {
            // It may be stored: a second row with its id is not.
            try await insert(id, content)
        }
        return true
    }

    private func insert(_ id: String, _ content: [UInt8]) async throws {
        try await database.write { writer in
            try await writer.execute(
                """
                INSERT INTO \(sql: table.name) (id, content, attempts, due_at, queued_at)
                VALUES (\(id), \(content), 0, \(sql: writer.now), \(sql: writer.now)) ON CONFLICT (id) DO NOTHING
                """)
        }
    }

    /// The number of messages.
    func count() async throws -> Int {
        try await database.read { rows in
            try await rows.first("SELECT count(*) AS number FROM \(sql: table.name)", as: Int.self) ?? 0
        }
    }

    /// True if there is a message that does not wait for its key.
    func hasReadable() async throws -> Bool {
        try await database.read { rows in
            try await rows.first(
                """
                SELECT 1 AS found FROM \(sql: table.name) WHERE failure IS NULL OR failure <> \(Self.keyIsMissing) LIMIT 1
                """, as: Int.self) != nil
        }
    }

    /// The state of the queue.
    func summary() async throws -> Summary {
        try await database.read { rows in
            let failure = try await rows.first(
                """
                SELECT failure FROM \(sql: table.name) WHERE failure IS NOT NULL ORDER BY due_at DESC, id LIMIT 1
                """, as: String.self)
            let totals = try await rows.first(
                "SELECT count(*) AS number, min(queued_at) AS oldest FROM \(sql: table.name)"
            ) { (try $0["number", as: Int.self], try $0["oldest", as: Int64?.self]) }
            return Summary(
                count: totals?.0 ?? 0, oldestAt: totals?.1.map { AuthTime(milliseconds: $0) }, failure: failure)
        }
    }

    /// Takes the message that has been due for the longest time.
    func claim() async throws -> Delivery? {
        try await database.write(durability: .normal) { writer in
            let found = try await writer.first(
                """
                SELECT id, content, attempts FROM \(sql: table.name)
                WHERE due_at <= \(sql: writer.now) AND (lease_until IS NULL OR lease_until <= \(sql: writer.now))
                ORDER BY due_at, id LIMIT 1 \(sql: writer.skippingTaken)
                """
            ) { Delivery(id: try $0["id"], content: try $0["content"], attempt: try $0["attempts"] + 1) }
            guard let found else { return nil }
            try await writer.execute(
                """
                UPDATE \(sql: table.name) SET attempts = \(found.attempt), owner = \(instance.id),
                    lease_until = \(sql: writer.now) + \(Lease.milliseconds)
                WHERE id = \(found.id)
                """)
            return found
        }
    }

    /// Extends the lease of a message; false if another instance has it.
    func renew(_ delivery: Delivery) async throws -> Bool {
        try await database.write(durability: .normal) { writer in
            try await writer.execute(
                """
                UPDATE \(sql: table.name) SET lease_until = \(sql: writer.now) + \(Lease.milliseconds)
                WHERE \(sql: isOwn(delivery))
                """) == 1
        }
    }

    /// Removes a message that was delivered, or whose time is over.
    func finish(_ delivery: Delivery) async throws {
        try await database.write { writer in
            try await writer.execute("DELETE FROM \(sql: table.name) WHERE \(sql: isOwn(delivery))")
        }
    }

    /// Lets a message wait for its next attempt.
    ///
    /// - Parameter failure: The reason of the last failure, without addresses; nil for none.
    func postpone(_ delivery: Delivery, failure: String?) async throws {
        let pause = backoff.delay(afterFailures: delivery.attempt, chance: .random(in: 0...1))
        try await database.write(durability: .normal) { writer in
            try await writer.execute(
                """
                UPDATE \(sql: table.name) SET due_at = \(sql: writer.now) + \(Int64(pause / .milliseconds(1))), owner = NULL,
                    lease_until = NULL, failure = \(failure)
                WHERE \(sql: isOwn(delivery))
                """)
        }
    }

    private static let keyIsMissing = "its root key is missing"

    /// Lets a message wait for its key, and removes it if it was queued three days ago.
    ///
    /// - Returns: False for a message that was removed.
    func postponeSealed(_ delivery: Delivery) async throws -> Bool {
        let isOver = try await database.write { writer in
            try await writer.execute(
                """
                DELETE FROM \(sql: table.name) WHERE \(sql: isOwn(delivery))
                    AND COALESCE(queued_at, 0) <= \(sql: writer.now) - \(Self.sealedMilliseconds)
                """) == 1
        }
        if !isOver { try await postpone(delivery, failure: Self.keyIsMissing) }
        return !isOver
    }

    /// Deletes the notifications whose time is over; without a hook no queue does.
    static func deleteExpiredNotifications(_ database: any ServerDatabase, at now: AuthTime) async throws {
        try await database.write { writer in
            try await writer.execute(
                "DELETE FROM notification WHERE queued_at <= \(now.milliseconds - sealedMilliseconds)")
        }
    }

    /// Ends the leases that an earlier process of this instance left behind.
    func recover() async throws {
        try await database.write { writer in
            try await writer.execute(
                "UPDATE \(sql: table.name) SET owner = NULL, lease_until = NULL WHERE owner = \(instance.id)")
        }
    }

    private func isOwn(_ delivery: Delivery) -> SQL {
        "id = \(delivery.id) AND owner = \(instance.id) AND attempts = \(delivery.attempt)"
    }
}
