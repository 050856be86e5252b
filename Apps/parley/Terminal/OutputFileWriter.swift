// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// Writes a file piece by piece. What was there before stays until ``finish()``; without it, the new file is removed.
final class OutputFileWriter {
    private let path: String
    private let temporary: String?
    private var descriptor: Int32
    private var isFinished = false

    /// Opens a file beside `path`, or `path` itself if it is a pipe or a device.
    init(_ path: String) throws {
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        self.path = path
        temporary = isSpecial ? nil : path + ".part-\(getpid())"
        descriptor = open(temporary ?? path, O_WRONLY | O_CREAT | O_CLOEXEC | (isSpecial ? 0 : O_EXCL), 0o666)
        if descriptor < 0 { throw failure() }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporary, !isFinished { unlink(temporary) }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws {
        do { try OutputStream(descriptor: descriptor).write(bytes) } catch { throw failure() }
    }

    /// Makes the file the one at `path`.
    func finish() throws {
        if let temporary {
            guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw failure() }
        }
        isFinished = true
    }

    private func failure() -> DomainError {
        let reason = String(cString: strerror(errno))
        return .file("\(path.printable) cannot be written: \(reason). Choose a folder that exists, with free space.")
    }
}
