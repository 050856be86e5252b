// SPDX-License-Identifier: MIT

import Domain
import DurableFiles
import Glibc
import TerminalKit

/// A file that a person named for a result, written piece by piece: a `PendingFile` that leaves nothing behind unless it is
/// finished.
final class OutputFile {
    private let pending: PendingFile
    private let file: OpenFile
    private var isFinished = false

    /// Opens a new file beside the one at `path`, or `path` itself if it is a pipe or a device.
    ///
    /// - Parameter mode: The mode of a new file, before the person's umask.
    init(_ path: String, mode: mode_t = 0o666) throws {
        pending = PendingFile(path)
        do { file = try pending.open(mode: mode) } catch { throw Self.failure(error) }
    }

    deinit { if !isFinished { pending.discard() } }

    /// Makes `text` the whole content of the file at `path`.
    static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// Makes `bytes` the whole content of the file at `path`.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o666) throws {
        let file = try OutputFile(path, mode: mode)
        try file.write(bytes)
        try file.finish()
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws {
        do { try file.write(bytes) } catch { throw failure(error) }
    }

    /// Replaces the file at the path with the new one.
    func finish() throws {
        do throws(FileError) {
            if !pending.isSpecial { try file.synchronize() }
            try pending.commit()
        } catch { throw failure(error) }
        isFinished = true
    }

    private func failure(_ error: FileError) -> DomainError {
        Self.failure(FileError("write", pending.path, number: error.number))
    }

    private static func failure(_ error: FileError) -> DomainError {
        .file(
            "\(error.path.printable) cannot be written: \(error.reason). Choose a folder that exists, with free space.")
    }
}
