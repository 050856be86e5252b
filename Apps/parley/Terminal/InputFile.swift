// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// A file that is read as a whole.
enum InputFile {
    /// The bytes of a file; `nil` when it has more than `limit`.
    static func bytes(of path: String, limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        do { return try InputStream(descriptor: descriptor).readBytes(limit: limit) } catch { throw failure(path) }
    }

    private static func failure(_ path: String) -> DomainError {
        .file("\(path.printable) cannot be read: \(String(cString: strerror(errno))).")
    }
}
