// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// A file for its owner alone that lines are appended to.
final class RecordFile: Sendable {
    private let descriptor: Int32

    /// - Throws: ``SimulateCommand/FileError``.
    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SimulateCommand.FileError(
                description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// One write a line, so that lines of several requests do not mix; a full disk loses the line.
    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
