// SPDX-License-Identifier: MIT

import Glibc

/// A lock among programs, and among the parts of one: an empty file that stays, since removing it would let two
/// programs lock two files (flock(2)). It ends with ``release()``, with this value, and with the process, even after a
/// crash.
public final class FileLock: Sendable {
    private let file: OpenFile

    private init(_ file: OpenFile) { self.file = file }

    deinit { file.unlock() }

    /// Takes the lock if it is free; nil while another holder has it. The folder must exist.
    public static func take(_ path: String, exclusively: Bool = true) throws(FileError) -> FileLock? {
        let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        return try file.tryLock(exclusively: exclusively) ? FileLock(file) : nil
    }

    /// Waits for the lock, and checks it every few milliseconds.
    ///
    /// - Returns: The lock; nil if it was not free within the time limit.
    /// - Throws: ``FileError``, `CancellationError`.
    public static func wait(
        for path: String, atMost patience: Duration, exclusively: Bool = true
    ) async throws -> FileLock? {
        let deadline = ContinuousClock.now + patience
        while true {
            if let lock = try take(path, exclusively: exclusively) { return lock }
            guard ContinuousClock.now < deadline else { return nil }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Releases the lock. Calling it again does nothing.
    public func release() { file.unlock() }
}
