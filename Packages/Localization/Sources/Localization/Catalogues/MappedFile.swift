// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc

/// A regular file in memory, read-only.
///
/// A file that somebody shortens in place ends the process at the next read beyond its new end (SIGBUS, mmap(2)). Installers
/// replace a catalogue by rename, which leaves the mapped one whole.
// SAFETY: the memory is never written, and is unmapped when nobody can reach it any more.
final class MappedFile: @unchecked Sendable {
    /// A catalogue of a hundred thousand messages has 20 MB.
    static let sizeLimit = 64 << 20

    let bytes: UnsafeRawBufferPointer

    init(_ path: String) throws(LocalizationError) {
        let (file, size): (OpenFile, Int)
        do throws(FileError) {
            // A pipe without a writer would make the opening wait.
            file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            let status = try file.status()
            guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("map", path, number: EINVAL) }
            size = Int(status.st_size)
        } catch {
            throw LocalizationError(
                error.isMissing ? .notFound : .file, "\(error) Check the path and the rights of the catalogue.",
                cause: error)
        }
        guard (1...Self.sizeLimit).contains(size) else {
            throw LocalizationError(
                size == 0 ? .damaged : .notACatalogue,
                "\(path) has \(size) bytes, a catalogue has 28 to \(Self.sizeLimit). Install or build it again.")
        }
        guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
            base != UnsafeMutableRawPointer(bitPattern: -1)  // MAP_FAILED
        else {
            let error = FileError("map", path)
            throw LocalizationError(.file, "\(error) Try again, or copy the file to another file system.", cause: error)
        }
        bytes = UnsafeRawBufferPointer(start: base, count: size)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
}
