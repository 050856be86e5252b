// SPDX-License-Identifier: MIT

import Glibc

/// Renames a file without replacing another one, in the first way that the file system has.
enum NewName: CaseIterable {
    /// renameat2(2) with `RENAME_NOREPLACE`: ext4, btrfs, xfs, tmpfs, and FAT and exFAT, which have no links.
    case exclusiveRename
    /// link(2), which never replaces a file: network file systems.
    case link
    /// A look and a rename(2), with the folder locked against other programs of this machine.
    case lockedRename

    /// Renames a file.
    ///
    /// - Returns: False if `path` exists; the file then keeps its name.
    static func give(
        _ path: String, to file: String, ways: some Sequence<NewName> = allCases
    ) throws(FileError) -> Bool {
        for way in ways {
            if let isNew = try way.give(path, to: file) { return isNew }
        }
        throw FileError("create", path, number: EOPNOTSUPP)
    }

    /// Nil if the file system does not have this way.
    private func give(_ path: String, to file: String) throws(FileError) -> Bool? {
        switch self {
        case .exclusiveRename:
            if Self.renameExclusively(file, path) { return true }
        case .link:
            if Glibc.link(file, path) == 0 {
                unlink(file)
                return true
            }
        case .lockedRename: return try Self.renameLocked(file, path)
        }
        switch errno {
        case EEXIST: return false
        // The answers of file systems without the call.
        case EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EMLINK, ENOTTY: return nil
        default: throw FileError("create", path)
        }
    }

    private static func renameLocked(_ file: String, _ path: String) throws(FileError) -> Bool {
        let folder = try OpenFile(DurableFile.folder(of: path), O_RDONLY | O_DIRECTORY)
        // A file system without locks has nothing better.
        try? folder.lock()
        defer { folder.unlock() }
        var status = stat()
        if lstat(path, &status) == 0 { return false }
        guard errno == ENOENT, rename(file, path) == 0 else { throw FileError("create", path) }
        return true
    }

    /// Calls renameat2(2), which glibc's headers show to GNU's dialect of C alone.
    private static func renameExclusively(_ path: String, _ target: String) -> Bool {
        typealias Function =
            @convention(c) (Int32, UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, UInt32) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else {
            errno = ENOSYS
            return false
        }
        // SAFETY: the signature is glibc's (2.28).
        return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, path, AT_FDCWD, target, 1) == 0
    }
}
