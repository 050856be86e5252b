// SPDX-License-Identifier: MIT

import Domain
import Glibc
import TerminalKit

/// Refuses settings that another user may have written, since settings name programs to run and servers to connect to.
enum OwnFile {
    /// Throws unless the file and its folder belong to this user and nobody else can write them; a missing file is
    /// valid.
    ///
    /// - Throws: `DomainError.file` with the command that repairs the permissions.
    static func require(_ path: String) throws(DomainError) {
        try require(path, isFolder: false)
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try require(String(path[..<slash]), isFolder: true)
        }
    }

    private static func require(_ path: String, isFolder: Bool) throws(DomainError) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // In a sticky folder of root's, such as /tmp, others cannot replace a file.
        let isShared = isFolder && status.st_uid == 0 && status.st_mode & S_ISVTX != 0
        guard status.st_uid == geteuid() || (isFolder && status.st_uid == 0) else {
            throw .file(
                "\(path.printable) belongs to another user (\(status.st_uid)), so it is not trusted. Check it; to own it "
                    + "over, run: sudo chown \(geteuid()) \(quoted(path))")
        }
        guard status.st_mode & 0o022 == 0 || isShared else {
            throw .file(
                "Other users can write \(path.printable), so it is not trusted. Check its content, then run: chmod go-w "
                    + "\(quoted(path))")
        }
    }

    /// The path as a word of the shell.
    private static func quoted(_ path: String) -> String {
        "'" + path.printable.replacing("'", with: "'\\''") + "'"
    }
}
