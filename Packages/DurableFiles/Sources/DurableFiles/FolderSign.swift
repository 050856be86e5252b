// SPDX-License-Identifier: MIT

import Glibc

/// Signs that programs set for each other at numbered positions of a folder: shared locks of open file descriptions
/// (fcntl(2), `F_OFD_SETLK`), each on one byte of the folder's own file.
///
/// No file is needed, and a read-only folder is enough. A program's own signs do not count for itself. The kernel
/// removes a sign when its process ends. Looking for one costs 0.2 µs. Not for use from two threads at once.
public final class FolderSign {
    /// `F_OFD_GETLK` and `F_OFD_SETLK`, which glibc hides behind _GNU_SOURCE.
    private static let (getLock, setLock): (CInt, CInt) = (36, 37)

    private let folder: OpenFile

    /// Opens a folder; nil if it cannot be read.
    public init?(folder path: String) {
        guard let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY) else { return nil }
        self.folder = folder
    }

    /// Sets a sign; false if the file system has no such locks.
    ///
    /// - Parameter place: The position, 0 ..< 2⁶².
    public func putUp(_ place: Int64) -> Bool { set(F_RDLCK, place) }

    /// Removes this program's own sign.
    public func takeDown(_ place: Int64) { _ = set(F_UNLCK, place) }

    /// True if another open folder, of this process or of another one, has set the sign.
    public func isUpElsewhere(_ place: Int64) -> Bool {
        // A sign would conflict with an exclusive lock.
        var lock = lock(F_WRLCK, place)
        return fcntl(folder.descriptor, Self.getLock, &lock) == 0 && lock.l_type != F_UNLCK
    }

    /// Takes the lock of the whole folder (flock(2)), which is independent of the signs; see
    /// ``OpenFile/tryLock(exclusively:)``.
    public func tryLock() throws(FileError) -> Bool { try folder.tryLock() }

    /// Releases the lock of the whole folder.
    public func unlock() { folder.unlock() }

    private func set(_ type: CInt, _ place: Int64) -> Bool {
        var lock = lock(type, place)
        return fcntl(folder.descriptor, Self.setLock, &lock) == 0
    }

    private func lock(_ type: CInt, _ place: Int64) -> flock {
        flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: off_t(place), l_len: 1, l_pid: 0)
    }
}
