// SPDX-License-Identifier: MIT

import Glibc

/// A sign that a writer shows when it has waited for the write lock for a while, so that others let it go first.
///
/// SQLite's lock is given to the process that asks when it is free: beside a process that writes without a pause, that
/// is nearly always that process. The sign is a shared lock of an open file description (fcntl(2), `F_OFD_SETLK`) on
/// one byte of the database's *folder*, the one with the number of the file's inode. It needs no file of its own,
/// touches none of SQLite's locks, and the kernel removes it when the process ends. Looking for it costs 0.2 µs.
///
/// It is a courtesy and not a lock: programs that do not know it work as before, and there are no signs if the folder
/// cannot be opened or the file system has no such locks.
final class WaitingSign {
    /// `F_OFD_GETLK` and `F_OFD_SETLK`, which glibc hides behind _GNU_SOURCE.
    private static let (getLock, setLock): (CInt, CInt) = (36, 37)

    private let folder: Int32
    private let place: off_t
    private(set) var isUp = false

    /// The sign of one connection; nil if the folder or the file system allows none.
    init?(for path: String) {
        var status = stat()
        // The file's own folder, also when the path is a link: all users of the file look at the same one.
        guard stat(path, &status) == 0, let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        guard let slash = strrchr(real, CInt(UInt8(ascii: "/"))) else { return nil }
        slash[slash == real ? 1 : 0] = 0
        folder = open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        place = off_t(truncatingIfNeeded: UInt64(status.st_ino) & UInt64(Int64.max >> 1))
        if folder < 0 { return nil }
    }

    deinit {
        close(folder)
    }

    /// True if another connection, of this process or of another one, waits.
    var isUpElsewhere: Bool {
        // The locks that an exclusive lock would conflict with; the connection's own does not count.
        var lock = lock(F_WRLCK)
        return fcntl(folder, Self.getLock, &lock) == 0 && lock.l_type != F_UNLCK
    }

    func putUp() {
        guard !isUp else { return }
        var lock = lock(F_RDLCK)
        isUp = fcntl(folder, Self.setLock, &lock) == 0
    }

    func takeDown() {
        guard isUp else { return }
        var lock = lock(F_UNLCK)
        _ = fcntl(folder, Self.setLock, &lock)
        isUp = false
    }

    private func lock(_ type: CInt) -> flock {
        flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: place, l_len: 1, l_pid: 0)
    }
}
