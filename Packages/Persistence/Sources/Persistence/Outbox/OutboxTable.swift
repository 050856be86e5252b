// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Loads items, lets ``OutboxState`` decide, and saves the result, inside one transaction.
struct OutboxTable<Access: Connection> {
    let connection: Access
    let configuration: Outbox.Configuration
    let now: OutboxTime

    func insert(_ message: OutboxMessage) throws -> OutboxReceipt where Access == WritableConnection {
        let key = message.idempotencyKey
        guard !key.isEmpty else {
            throw DatabaseError(code: .invalidValue, message: "An idempotency key is not empty.")
        }
        if let stage = try stage(ofKey: key) { return .duplicate(stage) }
        let size = message.payload.count + key.utf8.count + (message.orderingKey?.utf8.count ?? 0)
        let total = try total()
        guard total.items < configuration.maximumItems, size <= configuration.maximumBytes - total.bytes else {
            throw DatabaseError(
                code: .outboxFull,
                message:
                    "The outbox is full (\(total.items) items, \(total.bytes) bytes): wait until some are delivered, "
                    + "or discard poisoned ones.")
        }
        try connection.execute(
            """
            INSERT INTO outbox_item (idempotency_key, ordering_key, lane, enqueued_at, size)
            VALUES (\(key), \(message.orderingKey), \(message.lane), \(now.wall), \(size))
            """)
        let id = connection.lastInsertedRowID
        try connection.execute("INSERT INTO outbox_payload VALUES (\(id), \(message.payload))")
        if message.delay > .zero {
            let due = OutboxDeadline(message.delay, after: now.elapsed, boot: now.boot)
            try save(.pending(attempts: 0, due: due), of: id)
        }
        return .enqueued(id: id)
    }

    /// Brings every lease and wait that time has changed up to date.
    func look() throws where Access == WritableConnection {
        let timed = try connection.query(
            """
            SELECT id FROM outbox_item
            WHERE span > 0 AND (boot <> \(now.boot)
                OR (stage = 0 AND deadline - span > \(now.elapsed))
                OR (stage = 1 AND (deadline <= \(now.awake) OR deadline - span > \(now.awake))))
            """, as: Int64.self)
        for id in timed { _ = try apply(.look, to: id) }
    }

    /// Leases the oldest item that is due and first of its ordering key.
    ///
    /// - Parameter lanes: The lanes to claim from; all if nil.
    func claim(token: Int64, lanes: [String]?) throws -> OutboxDelivery? where Access == WritableConnection {
        let id = try connection.first(
            """
            SELECT id FROM outbox_item AS item
            WHERE stage = 0 AND (span = 0 OR deadline <= \(now.elapsed)) AND \(sql: OutboxSchema.isIn(lanes))
                AND \(sql: isFirstOfItsKey)
            ORDER BY id LIMIT 1
            """, as: Int64.self)
        guard let id else { return nil }
        _ = try apply(.claim(token: token), to: id)
        return try items("WHERE id = \(id)").first.map { OutboxDelivery(item: $0.item, token: token) }
    }

    /// The time until an item may become available by itself; nil for never.
    func wait(lanes: [String]?) throws -> Duration? {
        let milliseconds = try connection.first(
            """
            SELECT min(deadline - CASE stage WHEN 0 THEN \(now.elapsed) ELSE \(now.awake) END)
            FROM outbox_item AS item
            WHERE span > 0 AND stage < 2 AND \(sql: OutboxSchema.isIn(lanes)) AND (stage = 1 OR \(sql: isFirstOfItsKey))
            """, as: Int64?.self)
        return (milliseconds ?? nil).map { .milliseconds(max(0, $0)) }
    }

    /// Applies an event to an item; a missing item counts as done.
    func apply(_ event: OutboxState.Event, to id: Int64) throws -> OutboxState where Access == WritableConnection {
        let state = try self.state(of: id) ?? .done
        let next: OutboxState
        do {
            next = try state.after(event, at: now, rules: configuration.rules)
        } catch {
            throw DatabaseError(refusal: error)
        }
        if next != state { try save(next, of: id) }
        return next
    }

    /// Removes a poisoned item and its idempotency key.
    func discard(_ id: Int64) throws where Access == WritableConnection {
        guard case .poisoned = try state(of: id) else { throw DatabaseError(refusal: .notPoisoned) }
        try connection.execute("DELETE FROM outbox_item WHERE id = \(id)")
    }

    /// Removes an item that is not leased, in any other stage, and its idempotency key.
    func withdraw(_ key: String) throws where Access == WritableConnection {
        try connection.execute("DELETE FROM outbox_item WHERE idempotency_key = \(key) AND stage <> 1")
    }

    func items(_ condition: SQL) throws -> [OutboxEntry] {
        try connection.query(
            """
            SELECT id, idempotency_key, ordering_key, bytes, attempts, enqueued_at, reason, lane, stage
            FROM outbox_item JOIN outbox_payload ON item = id \(sql: condition)
            """
        ) { row in
            let item = OutboxItem(
                id: try row["id"], idempotencyKey: try row["idempotency_key"], orderingKey: try row["ordering_key"],
                lane: try row["lane"], payload: try row["bytes"], attempts: try row["attempts"],
                enqueuedAt: try row["enqueued_at"])
            return OutboxEntry(item: item, stage: OutboxStage(number: try row["stage"]), reason: try row["reason"])
        }
    }

    func stage(ofKey key: String) throws -> OutboxStage? {
        let stage = try connection.first("SELECT stage FROM outbox_item WHERE idempotency_key = \(key)") { row in
            OutboxStage(number: try row["stage"])
        }
        if let stage { return stage }
        return try connection.first("SELECT 1 FROM outbox_done WHERE idempotency_key = \(key)") { _ in .done }
    }

    func total() throws -> (items: Int, bytes: Int) {
        try connection.first("SELECT items, bytes FROM outbox_total") { row in
            (try row["items", as: Int.self], try row["bytes", as: Int.self])
        } ?? (0, 0)
    }

    func counts() throws -> [OutboxStage: Int] {
        let counts = try connection.query("SELECT stage, count(*) AS number FROM outbox_item GROUP BY stage") { row in
            (OutboxStage(number: try row["stage"]), try row["number", as: Int.self])
        }
        return Dictionary(counts, uniquingKeysWith: +)
    }

    func pendingCount(lanes: [String]?) throws -> Int {
        try connection.first(
            "SELECT count(*) FROM outbox_item WHERE stage < 2 AND \(sql: OutboxSchema.isIn(lanes))", as: Int.self) ?? 0
    }

    /// An item of another lane holds others up only while it is being delivered: that lane may have no worker.
    private var isFirstOfItsKey: SQL {
        let lastStage = configuration.poisonBlocksItsKey ? 2 : 1
        return """
            NOT EXISTS (
                SELECT 1 FROM outbox_item AS earlier WHERE earlier.ordering_key = item.ordering_key
                    AND earlier.id < item.id
                    AND (earlier.stage = 1 OR earlier.lane IS item.lane AND earlier.stage <= \(lastStage)))
            """
    }

    private func state(of id: Int64) throws -> OutboxState? {
        try connection.first(
            "SELECT stage, attempts, boot, deadline, span, token, reason FROM outbox_item WHERE id = \(id)"
        ) { row in
            let attempts = try row["attempts", as: Int.self]
            let deadline = OutboxDeadline(boot: try row["boot"], at: try row["deadline"], span: try row["span"])
            switch OutboxStage(number: try row["stage"]) {
            case .leased: return .leased(attempts: attempts, token: try row["token"], until: deadline)
            case .poisoned: return .poisoned(attempts: attempts, reason: try row["reason"])
            case .pending, .done: return .pending(attempts: attempts, due: deadline)
            }
        }
    }

    private func save(_ state: OutboxState, of id: Int64) throws where Access == WritableConnection {
        switch state {
        case .pending(let attempts, let due): try update(id, 0, attempts, due, nil, nil)
        case .leased(let attempts, let token, let until): try update(id, 1, attempts, until, token, nil)
        case .poisoned(let attempts, let reason): try update(id, 2, attempts, .passed, nil, reason)
        case .done:
            try connection.execute(
                "INSERT INTO outbox_done SELECT idempotency_key, \(now.wall) FROM outbox_item WHERE id = \(id)")
            try connection.execute("DELETE FROM outbox_item WHERE id = \(id)")
            let oldest = now.wall.addingTimeInterval(-(configuration.remembersDoneFor / .seconds(1)))
            try connection.execute("DELETE FROM outbox_done WHERE finished_at < \(oldest)")
        }
    }

    private func update(
        _ id: Int64, _ stage: Int, _ attempts: Int, _ deadline: OutboxDeadline, _ token: Int64?, _ reason: String?
    ) throws where Access == WritableConnection {
        try connection.execute(
            """
            UPDATE outbox_item SET stage = \(stage), attempts = \(attempts), boot = \(deadline.boot),
                deadline = \(deadline.at), span = \(deadline.span), token = \(token), reason = \(reason)
            WHERE id = \(id)
            """)
    }
}
