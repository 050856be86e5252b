// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

extension DatabaseError {
    /// Translates SQLite's result code for the file `name`.
    ///
    /// - Parameters:
    ///   - result: The extended result code.
    ///   - detail: SQLite's own message.
    ///   - systemError: The `errno` behind the result, or zero.
    ///   - name: The file's path.
    ///   - statement: The statement, for the table of a violated constraint.
    init(
        sqlite result: Int32, detail: String, systemError: Int32, name: String, statement: ConstrainedStatement? = nil
    ) {
        if result & 0xFF == SQLITE_CONSTRAINT {
            self.init(constraint: result, detail: detail, statement: statement)
            return
        }
        let (code, message): (Code, String)
        switch (result & 0xFF, systemError) {
        case (SQLITE_CORRUPT, _), (SQLITE_NOTADB, _):
            (code, message) = (.damaged, Self.damageMessage(name: name, detail: detail))
        case (SQLITE_FULL, _), (SQLITE_IOERR, ENOSPC), (SQLITE_IOERR, EDQUOT), (SQLITE_CANTOPEN, ENOSPC),
            (SQLITE_CANTOPEN, EDQUOT):
            (code, message) = (.diskFull, "There is no room left to write \(name). Free some space and try again.")
        case (SQLITE_BUSY, _), (SQLITE_LOCKED, _):
            (code, message) = (.busy, "Another program is using \(name). Close it, or try again in a moment.")
        case (SQLITE_READONLY, _), (SQLITE_CANTOPEN, EROFS):
            (code, message) = (
                .readOnly, "\(name) cannot be written (\(detail)). Check the permissions of the file and its folder."
            )
        case (SQLITE_PERM, _), (SQLITE_CANTOPEN, EACCES), (SQLITE_CANTOPEN, EPERM):
            (code, message) = (
                .permission, "Access to \(name) is denied. Check the permissions of the file and its folder."
            )
        case (SQLITE_CANTOPEN, _) where Self.isOnReadOnlyFileSystem(name):
            // SQLite makes a log and an index beside the file even to read, and does not keep why it could not.
            (code, message) = (.readOnly, "\(name) is on a file system that is read-only. Mount it for writing.")
        case (SQLITE_CANTOPEN, _):
            (code, message) = (.notFound, "\(name) cannot be opened. Check that the path is a file's.")
        case (SQLITE_IOERR, _):
            (code, message) = (
                .inputOutput, "Reading or writing \(name) failed (\(detail)). Check the disk and the system's log."
            )
        case (SQLITE_MISMATCH, _): (code, message) = (.typeMismatch, detail)
        case (SQLITE_ERROR, _) where detail.hasPrefix("unsafe use of"):
            (code, message) = (.invalidSQL, "\(detail): no view or trigger may; write it by a statement instead.")
        case (SQLITE_ERROR, _), (SQLITE_RANGE, _), (SQLITE_MISUSE, _): (code, message) = (.invalidSQL, detail)
        case (SQLITE_AUTH, _):
            (code, message) = (
                .invalidSQL,
                "\(detail): transactions and the connection's settings belong to Database; use read and write."
            )
        case (SQLITE_TOOBIG, _): (code, message) = (.tooLarge, detail)
        case (SQLITE_NOMEM, _):
            (code, message) = (
                .outOfMemory,
                "There is not enough memory for what \(name) asks. Close other programs; if the file holds nothing that "
                    + "large, it is damaged, and integrityCheck() says so."
            )
        default: (code, message) = (.other, "\(detail) (SQLite result \(result)) in \(name).")
        }
        self.init(code: code, message: message, underlying: result)
    }

    private static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// The error for the last failure on a connection.
    init(sqlite result: Int32, on handle: OpaquePointer?, name: String, statement: ConstrainedStatement? = nil) {
        let detail = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        self.init(
            sqlite: handle.map { sqlite3_extended_errcode($0) } ?? result,
            detail: detail ?? String(cString: sqlite3_errstr(result)),
            systemError: handle.map { sqlite3_system_errno($0) } ?? 0,
            name: name, statement: statement)
    }

    /// The error for a failed system call.
    init(systemError: Int32, doing action: String, path: String) {
        let code: Code
        switch systemError {
        case EACCES, EPERM: code = .permission
        case EROFS: code = .readOnly
        case ENOSPC, EDQUOT: code = .diskFull
        case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: code = .notFound
        default: code = .inputOutput
        }
        let reason = strerror(systemError).map { String(cString: $0) } ?? "error \(systemError)"
        self.init(code: code, message: "Could not \(action) \(path): \(reason).")
    }

    static func damageMessage(name: String, detail: String) -> String {
        "\(name) is not a sound database (\(detail)). Nothing was deleted. Move it and the files beside it (-wal, -shm) "
            + "away to start with a new one, and keep them: `sqlite3` with `.recover` may save what is inside."
    }
}
