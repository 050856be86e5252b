// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

extension PrivateFile {
    /// All of a file's bytes.
    ///
    /// - Throws: ``SecurityError`` with the code `damaged` for more than `limit` bytes.
    static func contents(of path: String, limit: Int) throws -> [UInt8] {
        let file = try PrivateFile(path, .read)
        let size = try file.size()
        guard size <= limit else {
            throw SecurityError(
                code: .damaged,
                message: "\(path) has \(size) bytes, which is more than it can have. Nothing was changed.")
        }
        var bytes = [UInt8](repeating: 0, count: size)
        let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
        return Array(bytes.prefix(count))
    }

    /// Replaces a file's content: after a crash at any moment the file has the old content or the new one. The caller
    /// holds a lock on the path.
    static func replace(_ path: String, with content: some ContiguousBytes) throws {
        let next = path + ".new"
        // The rest of a write that a crash interrupted.
        guard unlink(next) == 0 || errno == ENOENT else {
            throw SecurityError(systemError: errno, doing: "remove", path: next)
        }
        do {
            let file = try PrivateFile(next, .create)
            try content.withUnsafeBytes { try file.write($0) }
            try file.synchronize()
        } catch {
            unlink(next)
            throw error
        }
        guard rename(next, path) == 0 else {
            let number = errno
            unlink(next)
            throw SecurityError(systemError: number, doing: "replace", path: path)
        }
        try synchronizeFolder(of: path)
    }

    /// Removes a file for good; a missing file is not an error.
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw SecurityError(systemError: errno, doing: "remove", path: path)
        }
        try synchronizeFolder(of: path)
    }

    /// Runs `body` while it holds the lock of `path`, against other programs and other threads. The lock is a separate
    /// file, since the file itself is replaced.
    ///
    /// - Throws: ``SecurityError`` with the code `busy` when the lock was not free for ten seconds.
    static func withLock<Result>(
        on path: String, exclusively: Bool, tries: Int = 1_000, _ body: () throws -> Result
    ) throws -> Result {
        let file = try PrivateFile(path + ".lock", .lock)
        var tries = tries
        while try !file.tryLock(exclusively: exclusively) {
            tries -= 1
            guard tries > 0 else {
                throw SecurityError(
                    code: .busy,
                    message: "Another program has been using \(path) for too long. Close it and try again.")
            }
            usleep(10_000)
        }
        return try withExtendedLifetime(file, body)
    }
}
