// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// A file that was not there before.
enum NewFile {
    /// Writes a file whole, or not at all.
    ///
    /// - Throws: `DomainError.file`, also when there is a file of that name: it stays as it is.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let temporary = "\(path).part-\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        do { try OutputStream(descriptor: descriptor).write(bytes) } catch { throw failure(path) }
        // Unlike a renaming, a link never takes the place of what is there.
        guard fsync(descriptor) == 0, link(temporary, path) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> DomainError {
        if errno == EEXIST { return .file("There is a file \(path.printable) already; it stays. Choose another name.") }
        let reason = String(cString: strerror(errno))
        return .file("\(path.printable) cannot be written: \(reason). Choose a folder that exists, with free space.")
    }
}
