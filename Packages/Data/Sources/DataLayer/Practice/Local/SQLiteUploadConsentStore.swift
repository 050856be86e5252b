// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence

/// Each account's answer about uploads, in the queue's file: an answer and its effect on the queue are one transaction.
public struct SQLiteUploadConsentStore: UploadConsentStore {
    private let database: PracticeDatabase

    /// Makes a store in a database.
    public init(_ database: PracticeDatabase) { self.database = database }

    /// See `UploadConsentStore`.
    public func consent(of account: String) async throws -> UploadConsent? {
        try await database.read { try UploadConsentTable(connection: $0, account: account).consent() }
    }

    /// See `UploadConsentStore`.
    public func store(_ consent: UploadConsent, of account: String, includingEarlier: Bool) async throws {
        let queue = OutboxSyncQueue(database, account: account)
        try await database.write { connection in
            try UploadConsentTable(connection: connection, account: account).store(consent)
            guard consent.decision == .given else { return try queue.holdUploads(on: connection) }
            guard includingEarlier else { return }
            _ = try PracticeDatabase.adopt(by: account, queue: queue, on: connection)
            try queue.releaseHeld(on: connection)
        }
    }

    /// See `UploadConsentStore`.
    public func held(of account: String) async throws -> HeldUploads {
        try await database.read { try UploadConsentTable(connection: $0, account: account).held() }
    }

    /// See `UploadConsentStore`. The server's configuration counts, too, since its flag switches uploads off.
    public func changes(of account: String) -> AsyncStream<Void> {
        let (changes, entry) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let observation = database.database.observe { connection in
            _ = try UploadConsentTable(connection: connection, account: account).consent()
            _ = try connection.first("SELECT fetched_at FROM runtime_config WHERE account = \(account)", as: Int64.self)
        }
        let watching = Task {
            do { for try await _ in observation { entry.yield() } } catch {}
            entry.finish()
        }
        entry.onTermination = { _ in watching.cancel() }
        return changes
    }
}
