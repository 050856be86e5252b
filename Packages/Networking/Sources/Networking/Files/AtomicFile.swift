// SPDX-License-Identifier: MIT

import Glibc

/// Replaces files as a whole: written beside under a name of its own, synchronised, renamed. After a crash or a power
/// failure the file has its old content or its new one.
struct AtomicFile: Sendable {
    /// The suffix of the names of files that are being written.
    static let unfinished = ".new"

    /// Waits until a file's content is on the disk; the cause of a failure is in `errno`.
    var synchronise: @Sendable (Int32) -> Bool = { fsync($0) == 0 }

    /// Writes the content, for its owner alone.
    ///
    /// - Parameter isDurable: True to return only once the new content is on the disk.
    /// - Returns: Zero, or the `errno` of the failed call; the file then has its old content.
    func replace(_ path: String, with bytes: [UInt8], isDurable: Bool) -> Int32 {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max))\(Self.unfinished)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        var code = Self.write(bytes, to: descriptor) && synchronise(descriptor) ? 0 : errno
        if close(descriptor) != 0, code == 0 { code = errno }
        if code == 0, rename(temporary, path) != 0 { code = errno }
        guard code == 0 else {
            unlink(temporary)
            return code
        }
        if isDurable { synchroniseFolder(of: path) }
        return 0
    }

    /// A new name is on the disk only once its folder is.
    private func synchroniseFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = synchronise(descriptor)
        close(descriptor)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
