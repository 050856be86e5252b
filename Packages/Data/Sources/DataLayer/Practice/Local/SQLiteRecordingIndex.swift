// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence

/// The rows of one owner's recordings, in an SQLite database; the sound is elsewhere.
///
/// The caller writes the sound to the disk before ``insert(_:)``, and deletes it after ``delete(_:)``.
public struct SQLiteRecordingIndex: Sendable {
    private let database: PracticeDatabase
    private let owner: String
    private let queue: OutboxSyncQueue?

    /// Makes the index of an owner.
    ///
    /// - Parameters:
    ///   - database: The database with the rows.
    ///   - owner: The account; `nil` for no account.
    ///   - queue: The queue that gets each recording in the transaction that stores it; `nil` if recordings stay here.
    public init(_ database: PracticeDatabase, owner: String?, queue: OutboxSyncQueue? = nil) {
        self.database = database
        self.owner = owner ?? ""
        self.queue = queue
    }

    /// Stores a recording, unless its id exists; true if it was new. When this returns, the row survives a crash.
    public func insert(_ recording: Recording) async throws -> Bool {
        let (owner, queue) = (owner, queue)
        return try await database.write { connection in
            let isNew = try RecordingTable(connection: connection, owner: owner).store(recording)
            if isNew { try queue?.enqueue(.send(.recording, recording.id), on: connection) }
            return isNew
        }
    }

    /// The recording with this id, or `nil`.
    public func recording(_ id: Identifier<Recording>) async throws -> Recording? {
        try await database.read { [owner] in try RecordingTable(connection: $0, owner: owner).recording(id) }
    }

    /// The oldest recording with this content, or `nil`.
    ///
    /// - Parameter hash: The SHA-256 in hexadecimal digits of lower case.
    public func recording(hash: String) async throws -> Recording? {
        try await database.read { [owner] in try RecordingTable(connection: $0, owner: owner).recording(hash: hash) }
    }

    /// Recordings after a cursor or from the newest, the newest first; of the same millisecond, the greatest id first.
    public func recordings(after cursor: RecordingCursor?, limit: Int) async throws -> [Recording] {
        try await database.read { [owner] in
            try RecordingTable(connection: $0, owner: owner).list(after: cursor, limit: limit)
        }
    }

    /// Deletes a recording and its evaluations; true if it existed. Its waiting items are not sent, and a server that
    /// may have it learns of the deletion.
    public func delete(_ id: Identifier<Recording>) async throws -> Bool {
        let (owner, queue) = (owner, queue)
        return try await database.write { connection in
            let wasThere = try RecordingTable(connection: connection, owner: owner).delete(id)
            if wasThere { try queue?.enqueue(.delete(.recording, id), on: connection) }
            return wasThere
        }
    }

    /// Deletes a recording on this device only; true if it was deleted. A recording that is still to be sent stays, and
    /// so do evaluations.
    package func expire(_ id: Identifier<Recording>) async throws -> Bool {
        let (owner, queue) = (owner, queue)
        return try await database.write { connection in
            if let queue, try queue.isWaiting(for: id, on: connection) { return false }
            return try RecordingTable(connection: connection, owner: owner).expire(id)
        }
    }

    /// Every recording; `isSent` is true if the server has the recording.
    package func allWithSent() async throws -> [(recording: Recording, isSent: Bool)] {
        try await database.read { [owner] in try RecordingTable(connection: $0, owner: owner).listWithSent() }
    }

    /// True if any owner has a recording with this id.
    package func isKnown(_ id: Identifier<Recording>) async throws -> Bool {
        try await database.read { connection in
            try connection.first("SELECT 1 FROM recording WHERE id = \(id.description) LIMIT 1", as: Bool.self)
                ?? false
        }
    }
}
