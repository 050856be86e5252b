// SPDX-License-Identifier: MIT

import CPocketSphinx
internal import Glibc

/// Text that a C library or a child process reads as a file, without a file on a disk.
final class MemoryFile {
    /// MFD_CLOEXEC of `<sys/mman.h>`.
    private static let closeOnExec: UInt32 = 1

    let descriptor: Int32

    /// Holds `text`; the descriptor's offset is at its beginning.
    init(_ text: some Collection<UInt8>) throws(SpeechError) {
        descriptor = memfd_create("text", Self.closeOnExec)
        guard descriptor >= 0 else { throw Self.failure() }
        var rest = Array(text)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { throw Self.failure() }
            rest = rest.dropFirst(written)
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    /// A path that opens the same text.
    var path: String { "/proc/self/fd/\(descriptor)" }

    private static func failure() -> SpeechError {
        SpeechError(
            .outOfResources, "There is not enough memory, or there are too many open files. Close something and retry.",
            underlying: String(cString: strerror(errno)))
    }
}
