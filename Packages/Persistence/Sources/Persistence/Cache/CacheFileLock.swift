// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Lets one cache at a time open or replace a file, among all tasks and processes: a database that is opened while its
/// files are being renamed one after another would be given another one's log.
final class CacheFileLock: Sendable {
    private let descriptor: Int32

    /// Waits for the lock; the file `<path>.lock` stays.
    init(for path: String) async throws {
        let name = path + ".lock"
        var opened = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if opened < 0, errno == ENOENT {
            // The folders are made with the database's file.
            try DatabaseFile(path: path).prepare(isReadOnly: false)
            opened = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
        guard opened >= 0 else { throw DatabaseError(systemError: errno, doing: "open", path: name) }
        descriptor = opened
        let deadline = ContinuousClock.now + .seconds(30)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw DatabaseError(systemError: errno, doing: "lock", path: name)
            }
            guard ContinuousClock.now < deadline else {
                throw DatabaseError(code: .busy, message: "Another program holds \(name); try again in a moment.")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    deinit {
        // A process that this one has just forked has the open file, too, until it runs its own program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
