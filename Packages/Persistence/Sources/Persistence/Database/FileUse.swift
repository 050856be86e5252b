// SPDX-License-Identifier: MIT

import Glibc

/// Keeps programs that have a database open apart from a program that puts another file in its place: commits into a
/// file that was renamed are lost.
///
/// Both signs are locks of open file descriptions (fcntl(2), `F_OFD_SETLK`) on two bytes of the database's *folder*,
/// whose numbers follow from the file's name, since the file itself is replaced. Each side shows its own sign before it
/// looks for the other one, so that at most one of them continues. The kernel removes a sign when its process ends. No
/// file is needed, and a read-only folder is enough; if the file system has no such locks, there are no signs.
final class FileUse {
    /// `F_OFD_GETLK` and `F_OFD_SETLK`, which glibc hides behind _GNU_SOURCE.
    private static let (getLock, setLock): (CInt, CInt) = (36, 37)

    private let folder: Int32
    private let place: off_t

    /// Waits until no program replaces the file, and keeps others from doing so until the value is released. Blocks the
    /// thread.
    ///
    /// - Returns: nil if the folder has no locks.
    /// - Throws: ``DatabaseError`` with `busy` after `timeout`.
    static func shared(of file: DatabaseFile, timeout: Duration) throws -> FileUse? {
        guard let use = FileUse(file) else { return nil }
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            guard use.putUp(use.place) else { return nil }
            guard use.isUpElsewhere(use.place + 1) else { return use }
            use.takeDown(use.place)
            guard ContinuousClock.now < deadline else {
                throw DatabaseError(
                    code: .busy, message: "Another program is repairing \(file.path). Try again when it has ended.")
            }
            usleep(5_000)
        }
    }

    /// Waits until no program has the file open, and keeps it closed for others until the value is released.
    ///
    /// - Returns: nil if the folder has no locks.
    /// - Throws: ``DatabaseError`` with `busy` after `timeout`, `CancellationError`.
    static func exclusive(of file: DatabaseFile, timeout: Duration = .seconds(5)) async throws -> FileUse? {
        guard let use = FileUse(file) else { return nil }
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            // Of the programs that replace a file of the folder, one at a time looks: two signs would refuse each
            // other.
            if flock(use.folder, LOCK_EX | LOCK_NB) == 0 {
                guard use.putUp(use.place + 1) else { return nil }
                if !use.isUpElsewhere(use.place) { return use }
                use.takeDown(use.place + 1)
                flock(use.folder, LOCK_UN)
            } else if errno != EWOULDBLOCK, errno != EINTR {
                return nil
            }
            guard ContinuousClock.now < deadline else {
                throw DatabaseError(
                    code: .busy, message: "Another program has \(file.path) open. End it, then try again.")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private init?(_ file: DatabaseFile) {
        let path = file.path
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        self.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // FNV-1a, in the upper half of the offsets: inode numbers, which WaitingSign uses, are in the lower one.
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        place = off_t(1 << 61 | (hash & (1 << 61 - 1) & ~1))
        if self.folder < 0 { return nil }
    }

    deinit {
        close(folder)
    }

    private func putUp(_ place: off_t) -> Bool {
        var lock = lock(F_RDLCK, place)
        return fcntl(folder, Self.setLock, &lock) == 0
    }

    private func takeDown(_ place: off_t) {
        var lock = lock(F_UNLCK, place)
        _ = fcntl(folder, Self.setLock, &lock)
    }

    /// True if another open file description shows the sign; this one's own does not count.
    private func isUpElsewhere(_ place: off_t) -> Bool {
        var lock = lock(F_WRLCK, place)
        return fcntl(folder, Self.getLock, &lock) == 0 && lock.l_type != F_UNLCK
    }

    private func lock(_ type: CInt, _ place: off_t) -> Glibc.flock {
        Glibc.flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: place, l_len: 1, l_pid: 0)
    }
}
