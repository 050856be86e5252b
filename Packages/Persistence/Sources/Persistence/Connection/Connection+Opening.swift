// SPDX-License-Identifier: MIT

import CSQLite
import Diagnostics
import Glibc

extension Connection {
    enum Role {
        case writer
        case reader
    }

    /// Opens a file, or a database in memory, and makes its settings.
    static func open(
        _ file: DatabaseFile?, role: Role, configuration: Database.Configuration, logger: Logger
    ) throws -> Connection {
        if let file { try file.prepare(isReadOnly: configuration.isReadOnly) }
        let name = file?.path ?? "the database in memory"
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // The queue of its actor serialises each connection, so SQLite's own mutexes would only cost.
        flags |= configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(file?.path ?? ":memory:", &handle, flags, configuration.vfs)
        guard result == SQLITE_OK, let handle else {
            let error = DatabaseError(sqlite: result, on: handle, name: name)
            sqlite3_close_v2(handle)
            throw error
        }
        // From here on, the connection closes the handle if anything throws.
        let connection = Connection(handle: handle, name: name, configuration: configuration)
        try connection.access.internally {
            try connection.configure(handle, role: role, logger: logger)
        }
        if role == .writer, !configuration.isReadOnly {
            connection.busy.sign = file.flatMap { WaitingSign(for: $0.path) }
        }
        return connection
    }

    private func configure(_ handle: OpaquePointer, role: Role, logger: Logger) throws {
        // Until it is known to be sound: closing a file that is refused would copy its log into it and delete the log.
        _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        // No writing of the schema's own tables, and no "text" that is quietly a string when the column does not exist.
        for (flag, value): (Int32, Int32) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, configuration.trustsSchema ? 1 : 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] {
            let result = csqlite_set_flag(handle, flag, value)
            guard result == SQLITE_OK else { throw DatabaseError(sqlite: result, on: handle, name: name) }
        }
        // Reads the header and the whole schema: a file that is not a database, or is cut short, fails here.
        _ = try first("SELECT count(*) FROM sqlite_schema") { try $0.int(0) }
        switch role {
        case .reader:
            try execute("PRAGMA query_only = ON")
        case .writer where configuration.isReadOnly:
            durability = .normal
        case .writer:
            guard sqlite3_db_readonly(handle, "main") == 0 else {
                throw DatabaseError(
                    code: .readOnly,
                    message: "\(name) cannot be written: check its permissions, or open it with isReadOnly.")
            }
            try enableWriteAheadLog(logger)
            try execute("PRAGMA synchronous = FULL")
            durability = .full
            // What was deleted is overwritten, whatever the library was built with (Debian's does it by default).
            try execute("PRAGMA secure_delete = ON")
            checkpointer.install(on: handle)
            _ = try noticesForeignCommit()
        }
        _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }

    /// Switching a file to a write-ahead log needs it alone, and SQLite does not always wait for that by itself: two processes
    /// that create a file together would see `busy`.
    private func enableWriteAheadLog(_ logger: Logger) throws {
        let deadline = ContinuousClock.now.advanced(by: configuration.busyTimeout)
        while true {
            do {
                let mode = try first("PRAGMA journal_mode = WAL") { try $0.string(0) }
                if mode == "delete" || mode == "truncate" || mode == "persist" {
                    logger.warning("the file system has no shared memory: reads wait for writes")
                }
                return
            } catch let error as DatabaseError where error.code == .busy && ContinuousClock.now < deadline {
                usleep(2_000)
            }
        }
    }
}
