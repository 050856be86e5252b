// SPDX-License-Identifier: MIT

import Glibc

extension DatabaseFile {
    /// Throws unless the file and its folder belong to this user, or the folder to root, and no other user can write
    /// them. If other users can read the file, it removes that right.
    ///
    /// - Throws: ``DatabaseError`` with the code `insecureFile` and the command that mends it.
    func requireOwner(isReadOnly: Bool) throws {
        var status = stat()
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if stat(folder, &status) == 0 {
            guard status.st_uid == geteuid() || status.st_uid == 0 else { throw Self.foreign(folder, status) }
            // In a sticky folder, such as /tmp, others cannot replace a file.
            guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else { throw Self.writable(folder) }
        }
        for path in [path] + Self.companions.map({ path + $0 }) {
            guard stat(path, &status) == 0 else { continue }
            guard status.st_uid == geteuid() else { throw Self.foreign(path, status) }
            guard status.st_mode & 0o022 == 0 else { throw Self.writable(path) }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            if isFile, status.st_mode & 0o077 != 0, !isReadOnly { chmod(path, 0o600) }
        }
    }

    private static func foreign(_ path: String, _ status: stat) -> DatabaseError {
        DatabaseError(
            code: .insecureFile,
            message: "\(path) belongs to another user (\(status.st_uid)), so it is not trusted. Check it; to own it "
                + "over, run: sudo chown \(geteuid()) \(quoted(path))")
    }

    private static func writable(_ path: String) -> DatabaseError {
        DatabaseError(
            code: .insecureFile,
            message:
                "Other users can write \(path), so it is not trusted. Check its content, then run: chmod go-w \(quoted(path))"
        )
    }

    /// The path as a word of the shell.
    private static func quoted(_ path: String) -> String {
        "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
