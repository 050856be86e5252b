// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// A large file that is written piece by piece away from the thread that asks for it.
actor ArchiveFile {
    private let file: OutputFile

    /// A new file for its owner alone, in place of what may be there once it is finished.
    init(_ path: String) throws { file = try OutputFile(path, mode: 0o600) }

    func write(_ bytes: [UInt8]) throws { try file.write(bytes) }
    func finish() throws { try file.finish() }
}

/// A file without a name, for its owner alone, which is gone with this object.
actor SpooledFile {
    private let descriptor: Int32
    private(set) var size = 0

    /// - Parameter folder: Where there is room.
    init(in folder: String) throws {
        var name = Array("\(folder)/.spool-XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Self.failure() }
        unlink(name)
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws {
        do { try OutputStream(descriptor: descriptor).write(bytes) } catch { throw Self.failure() }
        size += bytes.count
    }

    /// Bytes from an offset on; none at the end.
    func read(at offset: Int, maximum: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: maximum)
        let count = pread(descriptor, &bytes, maximum, off_t(offset))
        if count < 0 { throw Self.failure() }
        return Array(bytes[..<count])
    }

    private static func failure() -> DomainError {
        .file("A file for the archive cannot be written: \(String(cString: strerror(errno))). Make room on the disk.")
    }
}
