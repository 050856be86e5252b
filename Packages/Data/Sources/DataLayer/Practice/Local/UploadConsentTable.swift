// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// One account's answer about uploads and its held-back items, inside one transaction.
struct UploadConsentTable<Access: Connection> {
    let connection: Access
    let account: String

    func consent() throws -> UploadConsent? {
        try connection.first(
            "SELECT decision, decided_at, text_version FROM upload_consent WHERE account = \(account)"
        ) { row in
            guard let decision = UploadConsent.Decision(rawValue: try row["decision"]) else {
                throw DomainError.unusable(.row("answer about uploads"))
            }
            return UploadConsent(decision, at: try row["decided_at"], textVersion: try row["text_version"])
        }
    }

    func store(_ consent: UploadConsent) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR REPLACE INTO upload_consent (account, decision, decided_at, text_version)
            VALUES (\(account), \(consent.decision.rawValue), \(consent.decidedAt), \(consent.textVersion))
            """)
    }

    /// Holds back a message that is about to enter the queue.
    func hold(_ message: OutboxMessage) throws where Access == WritableConnection {
        try hold(message.idempotencyKey, message.orderingKey, message.payload)
    }

    /// Holds back an item that was taken out of the queue. The server may have it: an attempt whose answer was lost is
    /// not counted.
    func hold(_ item: OutboxItem) throws where Access == WritableConnection {
        try hold(item.idempotencyKey, item.orderingKey, item.payload, wasTried: true)
    }

    private func hold(_ key: String, _ order: String?, _ payload: [UInt8], wasTried: Bool = false) throws
    where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR IGNORE INTO upload_held (account, idempotency_key, ordering_key, payload, was_tried)
            VALUES (\(account), \(key), \(order), \(payload), \(wasTried))
            """)
    }

    /// Deletes the held-back item with a key; true if it existed and the server cannot have any of it.
    func drop(_ key: String) throws -> Bool where Access == WritableConnection {
        let wasTried = try connection.first(
            "SELECT was_tried FROM upload_held WHERE account = \(account) AND idempotency_key = \(key)", as: Bool.self)
        try connection.execute("DELETE FROM upload_held WHERE account = \(account) AND idempotency_key = \(key)")
        return wasTried == false
    }

    func isHeld(_ key: String) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM upload_held WHERE account = \(account) AND idempotency_key = \(key)", as: Bool.self) ?? false
    }

    /// Takes out all held-back items, in their order.
    func takeHeld() throws -> [OutboxMessage] where Access == WritableConnection {
        let messages = try connection.query(
            """
            SELECT idempotency_key, ordering_key, payload FROM upload_held WHERE account = \(account) ORDER BY number
            """
        ) { row in
            OutboxMessage(
                payload: try row["payload"], idempotencyKey: try row["idempotency_key"],
                orderingKey: try row["ordering_key"],
                lane: account)
        }
        try connection.execute("DELETE FROM upload_held WHERE account = \(account)")
        return messages
    }

    func held() throws -> HeldUploads {
        func count(_ query: SQL) throws -> Int { try connection.first(query, as: Int.self) ?? 0 }
        return HeldUploads(
            held: try count("SELECT count(*) FROM upload_held WHERE account = \(account)"),
            unowned: try SyncedKind.all.reduce(0) { sum, kind in
                try sum + count("SELECT count(*) FROM \(sql: kind.table) WHERE owner = ''")
            })
    }
}
