// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc

/// An open folder, through which its entries are reached: a link that replaces one of its parents later leads nowhere
/// else. Every call blocks.
final class FolderHandle: Sendable {
    private let file: OpenFile
    /// The path for messages.
    private let shown: String

    /// Opens the outermost folder, which may be a link of its owner's.
    init(_ path: String) throws(FileError) {
        file = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        shown = path
    }

    private init(_ file: OpenFile, _ shown: String) {
        (self.file, self.shown) = (file, shown)
    }

    /// The path of an entry through this descriptor (proc(5), `/proc/self/fd`).
    func path(_ name: String) -> String { "/proc/self/fd/\(file.descriptor)/\(name)" }

    /// A folder in it; nil if it is missing.
    ///
    /// - Parameter makes: True to make it, on the disk with its name. Nil then means that it, or this folder, was removed
    ///   meanwhile.
    func folder(_ name: String, makes: Bool = false) throws(FileError) -> FolderHandle? {
        if makes, mkdir(path(name), 0o700) == 0 {
            try synchronize()
        } else if makes, errno != EEXIST {
            let number = errno
            if number == ENOENT, isRemoved { return nil }
            throw FileError("create the folder", "\(shown)/\(name)", number: number)
        }
        do throws(FileError) {
            return FolderHandle(
                try OpenFile(path(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW), "\(shown)/\(name)")
        } catch {
            // A link, too, is ENOTDIR.
            if error.number == ENOENT || error.number == ENOTDIR && !makes && !isLink(name) { return nil }
            throw FileError("open", "\(shown)/\(name)", number: isLink(name) ? ELOOP : error.number)
        }
    }

    /// A file in it, to read; nil if it is missing. It may be no regular file.
    func file(_ name: String) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            // Neither a link that leads elsewhere nor a pipe that never answers.
            return try OpenFile(path(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            if error.number == ENOENT { return nil }
            throw FileError("open", "\(shown)/\(name)", number: error.number == ENXIO ? ELOOP : error.number)
        }
    }

    /// The status of an entry, without following a link; nil if it is gone.
    func status(_ name: String) -> stat? {
        var status = stat()
        return lstat(path(name), &status) == 0 ? status : nil
    }

    /// True if this folder has no name any more.
    private var isRemoved: Bool {
        var status = stat()
        return fstat(file.descriptor, &status) == 0 && status.st_nlink == 0
    }

    private func isLink(_ name: String) -> Bool { status(name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    /// The names in it, in no order.
    func names() throws(FileError) -> [String] {
        guard let entries = opendir(path(".")) else { throw FileError("list", shown) }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(validatingCString: $0) }
            }
            if let name { names.append(name) }
        }
        return names
    }

    /// Renames an unfinished file into this folder, in the place of an earlier object, for good.
    ///
    /// - Returns: False if this folder was removed.
    func take(_ pending: PendingObject, as name: String) throws(FileError) -> Bool {
        guard rename(pending.path, path(name)) == 0 else {
            let number = errno
            if number == ENOENT, isRemoved { return false }
            throw FileError("write", "\(shown)/\(name)", number: number)
        }
        try synchronize()
        return true
    }

    /// Removes a file for good; false if it was missing.
    func removeFile(_ name: String) throws(FileError) -> Bool {
        guard unlink(path(name)) == 0 else {
            if [ENOENT, EISDIR].contains(errno) { return false }
            throw FileError("remove", "\(shown)/\(name)")
        }
        try synchronize()
        return true
    }

    /// Removes an empty folder for good; false if it is not empty or gone.
    func removeFolder(_ name: String) throws(FileError) -> Bool {
        guard rmdir(path(name)) == 0 else {
            if [ENOTEMPTY, EEXIST, ENOENT, ENOTDIR].contains(errno) { return false }
            throw FileError("remove", "\(shown)/\(name)")
        }
        try synchronize()
        return true
    }

    private func synchronize() throws(FileError) { try DurableFile.synchronize(folder: path(".")) }
}
