// SPDX-License-Identifier: MIT

import CSQLite
import Concurrency
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
    ) throws -> WritableConnection {
        let configuration = file == nil ? configuration : try configuration.withVFS()
        if let file { try file.prepare(isReadOnly: configuration.isReadOnly, seal: configuration.seal) }
        let name = file?.path ?? "the database in memory"
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        // The queue of its actor serialises each connection, so SQLite's own mutexes would only cost.
        flags |= configuration.isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(file?.path ?? ":memory:", &handle, flags, configuration.vfsName)
        guard result == SQLITE_OK, let handle else {
            let error = DatabaseError(sqlite: result, on: handle, name: name)
            sqlite3_close_v2(handle)
            throw configuration.sealedVFS?.refusal.withLock { $0 }.map { DatabaseError($0, name: name) } ?? error
        }
        // From here on, the connection closes the handle if anything throws.
        let connection = WritableConnection(handle: handle, name: name, configuration: configuration)
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
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ] {
            let result = csqlite_set_flag(handle, flag, value)
            guard result == SQLITE_OK else { throw DatabaseError(sqlite: result, on: handle, name: name) }
        }
        if configuration.sealedVFS == nil {
            try requirePlainFile(handle)
        } else {
            // Other files that SQLite keeps beside the file and its log would not be sealed.
            try run("PRAGMA temp_store = MEMORY")
        }
        // Reads the header and the whole schema: a file that is not a database, or is cut short, fails here.
        _ = try first("SELECT count(*) FROM sqlite_schema", as: Int.self)
        switch role {
        case .reader:
            try run("PRAGMA query_only = ON")
        case .writer where configuration.isReadOnly:
            durability = .normal
        case .writer:
            guard sqlite3_db_readonly(handle, "main") == 0 else {
                throw DatabaseError(
                    code: .readOnly,
                    message: "\(name) cannot be written: check its permissions, or open it with isReadOnly.")
            }
            try enableWriteAheadLog(logger)
            try run("PRAGMA synchronous = FULL")
            durability = .full
            // Deleted content is overwritten, whatever the library was built with (Debian's does it by default).
            try run("PRAGMA secure_delete = ON")
            checkpointer.install(on: handle)
            _ = try noticesForeignCommit()
        }
        if !configuration.isReadOnly { _ = csqlite_set_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }
    }

    /// Switching a file to a write-ahead log needs it alone, and SQLite does not always wait for that by itself: two
    /// processes that create a file together would get `busy`.
    private func enableWriteAheadLog(_ logger: Logger) throws {
        let deadline = ContinuousClock.now.advanced(by: configuration.busyTimeout)
        while true {
            do {
                if configuration.sealedVFS != nil, try first("PRAGMA page_count", as: Int.self) == 0 {
                    // The journal of the change to a log: a sealed file has no journal on the disk.
                    _ = try first("PRAGMA journal_mode = MEMORY", as: String.self)
                }
                let mode = try first("PRAGMA journal_mode = WAL", as: String.self)
                if mode != "wal", configuration.sealedVFS != nil {
                    throw DatabaseError(
                        code: .other,
                        message:
                            "\(name) lies on a file system without shared memory, where a sealed database cannot be "
                            + "kept. Move it to another disk.")
                }
                if mode == "delete" || mode == "truncate" || mode == "persist" {
                    logger.warning("the file system has no shared memory: reads wait for writes")
                }
                return
            } catch let error as DatabaseError where error.code == .busy && ContinuousClock.now < deadline {
                usleep(2_000)
            }
        }
    }

    /// Throws for a sealed file, which SQLite would take for a damaged one.
    private func requirePlainFile(_ handle: OpaquePointer) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
            let methods = file.pointee.pMethods
        else { return }
        var (size, magic): (Int64, [UInt8]) = (0, [UInt8](repeating: 0, count: SealedHeader.magic.count))
        guard methods.pointee.xFileSize(file, &size) == SQLITE_OK, size >= SealedHeader.byteCount else { return }
        _ = methods.pointee.xRead(file, &magic, Int32(magic.count), 0)
        if magic == SealedHeader.magic {
            throw DatabaseError(code: .sealed, message: "\(name) is sealed. Open it with the key that sealed it.")
        }
        if size == SealedHeader.byteCount {
            throw DatabaseError(
                code: .damaged, message: DatabaseError.damageMessage(name: name, detail: "it has only \(size) bytes"))
        }
    }
}

extension DatabaseError {
    init(_ refusal: SealedVFS.Refusal, name: String) {
        switch refusal {
        case .plain: self.init(code: .notSealed, message: "\(name) is not sealed. Seal it with Database.reseal first.")
        case .wrongKey: self.init(code: .wrongKey, message: "\(name) was sealed with another key. Give that one.")
        case .newer: self.init(code: .newer, message: "\(name) was sealed by a newer program. Open it with that one.")
        }
    }
}
