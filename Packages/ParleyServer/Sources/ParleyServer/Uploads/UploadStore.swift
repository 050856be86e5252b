// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import FoundationEssentials
import Persistence

/// An upload that is not finished.
struct Upload: Sendable, Hashable {
    /// The recording that it will become.
    let recording: Recording
    /// The time at which bytes last arrived.
    let touchedAt: AuthTime
    /// The offset from which the file holds an unchecked part; `nil` if all of it is checked.
    let unverifiedFrom: Int?
    /// The bytes that are in an object store.
    var pieces = StagedPieces()

    func touched(at time: AuthTime) -> Upload {
        Upload(recording: recording, touchedAt: time, unverifiedFrom: unverifiedFrom, pieces: pieces)
    }
}

/// The outcome of a request to create an upload.
enum UploadAdmission: Sendable, Hashable {
    case new
    case begun(Upload)
    /// The recording exists.
    case finished(Recording)
    /// The id belongs to another sound.
    case taken
    case tooMany
    case overQuota(free: Int)
}

/// Uploads that are not finished.
struct UploadStore: Sendable {
    /// The lease of an upload: short, since its client comes back at once after its instance has died. Long waits renew
    /// it, and a request that lost it changes nothing.
    static let lease: Duration = .seconds(5)

    let database: any ServerDatabase
    let policy: UploadPolicy

    /// Creates an upload, unless it or its recording exists. The transaction that adds it also checks quota and
    /// existence.
    ///
    /// - Parameter owner: The owner of the lease, which a new upload gets at once.
    /// - Throws: ``UploadError/busy`` if another request has begun it meanwhile.
    func admit(
        _ recording: Recording, of account: String, by owner: String, at now: AuthTime
    ) async throws -> UploadAdmission {
        try await database.write { writer in
            if let found = try await RecordingStore.recording(recording.id, of: account, writer) {
                return found.isSameSound(as: recording) ? .finished(found) : .taken
            }
            // The sound of an earlier recording of the id is not gone yet.
            if try await RecordingStore.isBeingRemoved(recording.id, of: account, writer) { throw UploadError.busy }
            let refusal = refusal(of: recording, try await RecordingUsage.of(account, writer))
            if refusal == nil, try await Self.insert(recording, of: account, by: owner, at: now, writer) {
                return .new
            }
            if let found = try await Self.upload(recording.id, of: account, writer) {
                guard found.owner == owner else { throw UploadError.busy }
                return found.upload.recording.isSameSound(as: recording) ? .begun(found.upload) : .taken
            }
            // An instance of a version that did not count may have changed the rows.
            try await RecordingUsage.recount(account, writer)
            if let refusal = self.refusal(of: recording, try await RecordingUsage.of(account, writer)) {
                return refusal
            }
            guard try await Self.insert(recording, of: account, by: owner, at: now, writer) else {
                throw UploadError.busy
            }
            return .new
        }
    }

    /// The answer to an upload that does not fit; nil for one that does.
    private func refusal(of recording: Recording, _ usage: (count: Int, bytes: Int)) -> UploadAdmission? {
        guard usage.count < policy.maximumCount else { return .tooMany }
        guard recording.byteCount <= policy.quotaBytes - usage.bytes else {
            return .overQuota(free: max(0, policy.quotaBytes - usage.bytes))
        }
        return nil
    }

    /// Adds an upload. A check for an earlier one would read the whole table, which is small, and so conflict with the
    /// uploads of all others.
    ///
    /// - Returns: False if there is one of the id.
    nonisolated(nonsending) private static func insert(
        _ recording: Recording, of account: String, by owner: String, at now: AuthTime, _ writer: any SQLWriter
    ) async throws -> Bool {
        let added = try await writer.execute(
            """
            INSERT INTO upload (\(sql: RecordingRow.columns), account, touched_at, owner, lease_until)
            VALUES (\(sql: RecordingRow.values(recording)), \(account), \(now.milliseconds), \(owner),
                \(sql: writer.now) + \(Lease.milliseconds(Self.lease)))
            ON CONFLICT (account, id) DO NOTHING
            """)
        guard added == 1 else { return false }
        try await RecordingUsage.add(uploads: 1, bytes: recording.byteCount, to: account, writer)
        return true
    }

    func upload(_ id: Identifier<Recording>, of account: String) async throws -> Upload? {
        try await database.read { try await Self.upload(id, of: account, $0)?.upload }
    }

    // MARK: Leases

    /// Takes the lease of an upload for one request.
    ///
    /// - Returns: False if another request has it; true without an upload, too.
    func take(_ id: Identifier<Recording>, of account: String, _ owner: String) async throws -> Bool {
        try await database.write(durability: .normal) { writer in
            let taken = try await writer.execute(
                """
                UPDATE upload SET owner = \(owner), lease_until = \(sql: writer.now) + \(Lease.milliseconds(Self.lease))
                WHERE account = \(account) AND id = \(id.description)
                    AND (lease_until IS NULL OR lease_until <= \(sql: writer.now))
                """)
            if taken == 1 { return true }
            return try await Self.upload(id, of: account, writer) == nil
        }
    }

    /// Extends a lease; false if another request has it. True without an upload: it is finished or not begun.
    func renew(_ id: Identifier<Recording>, of account: String, _ owner: String) async throws -> Bool {
        try await database.write(durability: .normal) { writer in
            let renewed = try await writer.execute(
                """
                UPDATE upload SET lease_until = \(sql: writer.now) + \(Lease.milliseconds(Self.lease))
                WHERE account = \(account) AND id = \(id.description) AND owner = \(owner)
                """)
            if renewed == 1 { return true }
            return try await Self.upload(id, of: account, writer) == nil
        }
    }

    func giveBack(_ id: Identifier<Recording>, of account: String, _ owner: String) async throws {
        try await database.write(durability: .normal) { writer in
            try await writer.execute(
                """
                UPDATE upload SET owner = NULL, lease_until = NULL
                WHERE account = \(account) AND id = \(id.description) AND owner = \(owner)
                """)
        }
    }

    /// Ends the leases that an earlier process of an instance left behind.
    func recover(_ instance: ServerInstance) async throws {
        try await database.write { writer in
            try await writer.execute(
                "UPDATE upload SET owner = NULL, lease_until = NULL WHERE owner LIKE \(instance.id + "/%")")
        }
    }

    // MARK: Progress

    /// Stores the offset of unchecked bytes and the time of an arrival. It survives the end of the process; after a
    /// power failure the hash of the whole file finds a fault.
    ///
    /// - Returns: True if the upload still exists.
    @discardableResult
    func mark(
        _ id: Identifier<Recording>, of account: String, by owner: String, unverifiedFrom offset: Int?,
        at now: AuthTime
    ) async throws -> Bool {
        try await database.write(durability: .normal) { writer in
            try await writer.execute(
                """
                UPDATE upload SET unverified_from = \(offset), touched_at = \(now.milliseconds)
                WHERE account = \(account) AND id = \(id.description) AND owner = \(owner)
                """) > 0
        }
    }

    /// Stores the pieces of an upload, and the time of an arrival.
    ///
    /// - Returns: False if the upload is gone, or another request has taken it over.
    func stage(
        _ pieces: StagedPieces, _ id: Identifier<Recording>, of account: String, by owner: String, at now: AuthTime
    ) async throws -> Bool {
        let text = try pieces.stored
        return try await database.write { writer in
            try await writer.execute(
                """
                UPDATE upload SET pieces = \(text), touched_at = \(now.milliseconds)
                WHERE account = \(account) AND id = \(id.description) AND owner = \(owner)
                """) > 0
        }
    }

    /// Makes a recording of an upload, and queues its evaluation.
    ///
    /// - Returns: True if the upload still existed.
    @discardableResult
    func finish(
        _ recording: Recording, of account: String, by owner: String, at now: AuthTime
    ) async throws -> Bool {
        let id = recording.id.description
        return try await database.write { writer in
            let bytes = try await writer.first(
                """
                DELETE FROM upload WHERE account = \(account) AND id = \(id) AND owner = \(owner) RETURNING byte_count
                """, as: Int.self)
            guard let bytes else { return false }
            try await RecordingUsage.add(
                recordings: 1, uploads: -1, bytes: recording.byteCount - bytes, to: account, writer)
            try await writer.execute(
                """
                INSERT INTO recording (\(sql: RecordingRow.columns), account, received_at)
                VALUES (\(sql: RecordingRow.values(recording)), \(account), \(now.milliseconds))
                """)
            try await writer.execute(
                """
                INSERT INTO evaluation_job (account, recording, state, attempts)
                VALUES (\(account), \(id), 'waiting', 0) ON CONFLICT (account, recording) DO NOTHING
                """)
            return true
        }
    }

    /// Removes an upload.
    ///
    /// - Returns: True if it existed.
    func remove(_ id: Identifier<Recording>, of account: String) async throws -> Bool {
        try await database.write { writer in
            let bytes = try await writer.first(
                "DELETE FROM upload WHERE account = \(account) AND id = \(id.description) RETURNING byte_count",
                as: Int.self)
            if let bytes { try await RecordingUsage.add(uploads: -1, bytes: -bytes, to: account, writer) }
            return bytes != nil
        }
    }

    /// The uploads without new bytes since a time.
    func untouched(since time: AuthTime) async throws -> [(account: String, id: Identifier<Recording>)] {
        try await database.read { rows in
            let found = try await rows.query(
                "SELECT account, id FROM upload WHERE touched_at < \(time.milliseconds)"
            ) {
                (account: try $0["account", as: String.self], id: Identifier<Recording>(try $0["id", as: String.self]))
            }
            return found.compactMap { row in row.id.map { (account: row.account, id: $0) } }
        }
    }

    nonisolated(nonsending) private static func upload(
        _ id: Identifier<Recording>, of account: String, _ rows: any SQLReader
    ) async throws -> (upload: Upload, owner: String?)? {
        try await rows.first(
            """
            SELECT \(sql: RecordingRow.columns), touched_at, unverified_from, pieces, owner FROM upload
            WHERE account = \(account) AND id = \(id.description)
            """
        ) { row in
            let upload = Upload(
                recording: try RecordingRow.recording(row), touchedAt: AuthTime(milliseconds: try row["touched_at"]),
                unverifiedFrom: try row["unverified_from"], pieces: try StagedPieces(stored: row["pieces"]))
            return (upload, try row["owner"])
        }
    }
}

extension Recording {
    /// True if the bytes are the same; other metadata may differ.
    func isSameSound(as other: Recording) -> Bool {
        byteCount == other.byteCount && contentHash == other.contentHash
    }
}
