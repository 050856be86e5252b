// SPDX-License-Identifier: MIT

import Glibc

/// Shows other programs that a recording's file is in use: a shared lock (flock(2)) that ends with this value, and with
/// the process in any case.
public final class RecordingHold: Sendable {
    private let descriptor: Int32

    /// Holds an existing file; a file that cannot be opened is not held.
    public init(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        // `isHeld` has the exclusive lock for an instant.
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
    }

    deinit { if descriptor >= 0 { Self.unlock(descriptor) } }

    /// A process that this one has just forked has the open file, too, until it runs its own program, so closing it is not
    /// enough.
    private static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// True if some program holds the file.
    public static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { unlock(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }
}
