// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc
public import Networking

/// Lets one program at a time exchange a refresh token or replace the stored records.
public struct SessionLock: Sendable {
    private let path: String?
    private let flag = Flag()
    private let patience: Duration
    private let clock: ClientClock

    /// A lock among all programs that name the same file. The file is made with its folder, stays, and is empty.
    ///
    /// - Parameters:
    ///   - path: The file, on a file system of this machine.
    ///   - patience: The longest wait for another program.
    public init(path: String, patience: Duration = .seconds(45), clock: ClientClock = .system) {
        (self.path, self.patience, self.clock) = (path, patience, clock)
    }

    /// A lock in this process only, for stores that no other program uses. Copies are the same lock.
    public static func inProcess(patience: Duration = .seconds(45)) -> SessionLock { SessionLock(patience) }

    private init(_ patience: Duration) {
        (path, self.patience, clock) = (nil, patience, .system)
    }

    /// Waits for the lock.
    ///
    /// - Throws: ``AuthError``: `busy` if another program did not release it in time, `storage`; `CancellationError`.
    func acquire() async throws -> Held {
        let deadline = clock.now() + patience
        while true {
            if let held = try await attempt() { return held }
            guard clock.now() < deadline else {
                throw AuthError(
                    .busy, "Another program is renewing the session and does not finish. Look for it and end it.")
            }
            try await clock.sleep(.milliseconds(20))
        }
    }

    private func attempt() async throws -> Held? {
        guard let path else { return flag.take() ? Held(flag: flag, descriptor: nil) : nil }
        // Opening may wait for a disk.
        return try await BlockingCall.run { try Self.lock(path) }.map { Held(flag: nil, descriptor: $0) }
    }

    private static func lock(_ path: String) throws -> Int32? {
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0, errno == ENOENT, let slash = path.lastIndex(of: "/") {
            try? FileManager.default.createDirectory(
                atPath: String(path[..<slash]), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        guard descriptor >= 0 else {
            throw AuthError(.storage, "The lock file \(path) cannot be opened: error \(errno).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
        let error = errno
        close(descriptor)
        guard error == EWOULDBLOCK || error == EINTR else {
            throw AuthError(.storage, "The lock file \(path) cannot be locked: error \(error).")
        }
        return nil
    }

    /// The lock, held until it is released.
    struct Held: Sendable {
        fileprivate let flag: Flag?
        fileprivate let descriptor: Int32?

        func release() {
            flag?.give()
            guard let descriptor else { return }
            // A child that was forked meanwhile has the same open file, so closing this descriptor alone would not
            // release it.
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    fileprivate final class Flag: Sendable {
        private let isTaken = Guarded(false)

        func take() -> Bool {
            isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
        }

        func give() { isTaken.withLock { $0 = false } }
    }
}
