// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc
import TerminalKit

/// A file that a person named for a result, written piece by piece.
///
/// The previous content stays until ``finish()`` replaces it all at once, with its mode; without it, nothing is left
/// behind. A symbolic link stays one: what it points to is replaced. A pipe or a device is written to as it is, since
/// replacing it would destroy it.
final class OutputFile {
    private let path: String
    private let target: String
    private let temporary: String?
    private var descriptor: Int32
    private var isFinished = false

    /// Opens a new file beside the one at `path`, or `path` itself if it is a pipe or a device.
    ///
    /// - Parameter mode: The mode of a new file, before the person's umask.
    init(_ path: String, mode: mode_t = 0o666) throws {
        var status = stat()
        let exists = stat(path, &status) == 0
        let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
        self.path = path
        target = isSpecial ? path : Self.resolved(path)
        temporary = isSpecial ? nil : target + ".part-\(getpid())"
        descriptor = open(temporary ?? path, O_WRONLY | O_CREAT | O_CLOEXEC | (isSpecial ? 0 : O_EXCL), mode)
        if descriptor < 0 { throw failure() }
        if exists, !isSpecial { _ = fchmod(descriptor, status.st_mode & 0o7777) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let temporary, !isFinished { unlink(temporary) }
    }

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
        do { try OutputStream(descriptor: descriptor).write(bytes) } catch { throw failure() }
    }

    /// Replaces the file at the path with the new one.
    func finish() throws {
        if let temporary {
            guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw failure() }
        }
        isFinished = true
    }

    /// The file that the links of `path` lead to, which may be missing.
    private static func resolved(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        var path = path
        // As many links as the kernel follows (path_resolution(7)).
        for _ in 1...40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }

    private func failure() -> DomainError {
        let reason = String(cString: strerror(errno))
        return .file("\(path.printable) cannot be written: \(reason). Choose a folder that exists, with free space.")
    }
}
