// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence

/// What is known of one owner's recordings, in an SQLite database; the sound is elsewhere.
///
/// Whoever keeps the sound brings it to the disk before ``insert(_:)``, and removes it after ``delete(_:)``.
public struct SQLiteRecordingIndex: Sendable {
    private let database: PracticeDatabase
    private let owner: String
    private let queue: OutboxSyncQueue?

    /// The recordings of an owner.
    ///
    /// - Parameters:
    ///   - database: Where they are.
    ///   - owner: The account; `nil` for nobody.
    ///   - queue: Where recordings are put to be sent, in the transaction that stores them; `nil` when they stay here.
    public init(_ database: PracticeDatabase, owner: String?, queue: OutboxSyncQueue? = nil) {
        self.database = database
        self.owner = owner ?? ""
        self.queue = queue
    }

    /// Stores a recording unless its name is there; whether it was new. When this returns, it survives a crash.
    public func insert(_ recording: Recording) async throws -> Bool {
        let (owner, queue) = (owner, queue)
        return try await database.write { connection in
            let isNew = try RecordingTable(connection: connection, owner: owner).store(recording)
            if isNew { try queue?.enqueue(.send(.recording, recording.id), on: connection) }
            return isNew
        }
    }

    /// The recording of that name, or `nil`.
    public func recording(_ id: Identifier<Recording>) async throws -> Recording? {
        try await database.read { [owner] in try RecordingTable(connection: $0, owner: owner).recording(id) }
    }

    /// The oldest recording of that content, or `nil`.
    ///
    /// - Parameter hash: The SHA-256 in hexadecimal digits of lower case.
    public func recording(hash: String) async throws -> Recording? {
        try await database.read { [owner] in try RecordingTable(connection: $0, owner: owner).recording(hash: hash) }
    }

    /// Recordings, the newest first; of the same millisecond, the greatest name first. After a place or from the newest.
    public func recordings(after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
        try await database.read { [owner] in
            try RecordingTable(connection: $0, owner: owner).list(after: cursor, limit: limit)
        }
    }

    /// Removes a recording and its evaluations; whether it was there. What was to be sent of it is not, and a server that may
    /// have it is told.
    public func delete(_ id: Identifier<Recording>) async throws -> Bool {
        let (owner, queue) = (owner, queue)
        return try await database.write { connection in
            let wasThere = try RecordingTable(connection: connection, owner: owner).delete(id)
            if wasThere { try queue?.enqueue(.delete(.recording, id), on: connection) }
            return wasThere
        }
    }

    /// Removes a recording here, without a word to the server; whether it was. What still has to get there stays, and what was
    /// made of it.
    package func expire(_ id: Identifier<Recording>) async throws -> Bool {
        let (owner, queue) = (owner, queue)
        return try await database.write { connection in
            if let queue, try queue.isWaiting(for: id, on: connection) { return false }
            return try RecordingTable(connection: connection, owner: owner).expire(id)
        }
    }

    /// Every recording, with whether the server has it.
    package func allWithSent() async throws -> [(recording: Recording, isSent: Bool)] {
        try await database.read { [owner] in try RecordingTable(connection: $0, owner: owner).listWithSent() }
    }

    /// Whether any owner has a recording of that name.
    package func isKnown(_ id: Identifier<Recording>) async throws -> Bool {
        try await database.read { connection in
            try connection.first("SELECT 1 FROM recording WHERE id = \(id.description) LIMIT 1", as: Bool.self)
                ?? false
        }
    }
}
