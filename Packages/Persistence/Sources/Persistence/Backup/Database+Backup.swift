// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// The progress of a backup.
public struct BackupProgress: Sendable, Equatable {
    /// The pages copied so far.
    public let copiedPages: Int
    /// The pages of the database.
    public let totalPages: Int
}

extension Database {
    /// Copies one snapshot of the database into a new file while it is in use (sqlite.org/backup.html). Later writes
    /// are not in the copy.
    ///
    /// The copy of a sealed database is sealed with the same key. The file appears under its name when it is complete
    /// and on the disk. A backup that fails or is cancelled leaves no file.
    ///
    /// - Parameters:
    ///   - path: The new file, which must not exist.
    ///   - pagesPerStep: The number of pages that are copied between two checks for cancellation; 256 by default, which
    ///     is 1 MB.
    ///   - progress: Called after each step, on the reader's thread.
    /// - Throws: ``DatabaseError`` with `alreadyExists`, `diskFull`, `permission`, …; `CancellationError`.
    public func backUp(
        to path: String, pagesPerStep: Int = 256, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws {
        let target = try DatabaseFile(path: path)
        guard try DatabaseFile.size(of: target.path) == nil else {
            throw DatabaseError.alreadyExists(target.path)
        }
        let partial = try DatabaseFile(path: target.path + ".partial-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        do {
            try await read { connection in
                // The snapshot begins here; without it, each step would have one of its own.
                _ = try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1", as: Int.self)
                try connection.copy(
                    to: partial, connection.configuration, pagesPerStep: Int32(clamping: max(1, pagesPerStep)), progress
                )
            }
            try DatabaseFile.move(partial.path, to: target.path)
        } catch {
            for suffix in [""] + DatabaseFile.companions { unlink(partial.path + suffix) }
            throw error
        }
        DatabaseFile.syncParent(of: target.path)
    }
}

extension Connection {
    /// Copies every page into a new file, sealed as its configuration says.
    func copy(
        to file: DatabaseFile, _ targetConfiguration: Database.Configuration, pagesPerStep: Int32,
        _ progress: (BackupProgress) -> Void
    ) throws {
        try file.prepare(isReadOnly: false, seal: targetConfiguration.seal)
        var target: OpaquePointer?
        defer { sqlite3_close_v2(target) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let opened = sqlite3_open_v2(file.path, &target, flags, targetConfiguration.vfsName)
        guard opened == SQLITE_OK else { throw DatabaseError(sqlite: opened, on: target, name: file.path) }
        if targetConfiguration.sealedVFS != nil {
            // A copy that fails is deleted, and a sealed file has no journal on the disk.
            sqlite3_exec(target, "PRAGMA temp_store = MEMORY; PRAGMA journal_mode = MEMORY", nil, nil, nil)
        }
        guard let backup = sqlite3_backup_init(target, "main", try openHandle(), "main") else {
            throw DatabaseError(sqlite: sqlite3_errcode(target), on: target, name: file.path)
        }
        var result = SQLITE_OK
        while result == SQLITE_OK && !Task.isCancelled {
            result = sqlite3_backup_step(backup, pagesPerStep)
            let (total, remaining) = (sqlite3_backup_pagecount(backup), sqlite3_backup_remaining(backup))
            progress(BackupProgress(copiedPages: Int(total - remaining), totalPages: Int(total)))
        }
        let isComplete = result == SQLITE_DONE
        let finished = sqlite3_backup_finish(backup)
        if !isComplete { try Task.checkCancellation() }
        guard isComplete, finished == SQLITE_OK else {
            throw DatabaseError(sqlite: finished, on: target, name: file.path)
        }
    }
}
