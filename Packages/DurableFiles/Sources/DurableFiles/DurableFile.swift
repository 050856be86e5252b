// SPDX-License-Identifier: MIT

public import Glibc

/// Changes to files that are complete or absent, whenever the program is killed or the power fails. Every call blocks.
public enum DurableFile {
    /// Replaces a file's content: after a crash the file has the old content or the new one.
    ///
    /// The new content is written beside the file, under a unique name that ends in `suffix`; only a crash leaves that
    /// file.
    ///
    /// - Parameters:
    ///   - mode: The mode of the new file.
    ///   - isDurable: True to return only when the new content is on the disk.
    public static func replace(
        _ path: String, with content: some Sequence<UInt8>, mode: mode_t = 0o600, suffix: String = ".new",
        isDurable: Bool = true
    ) throws(FileError) {
        try replace(path, with: content, mode: mode, suffix: suffix, isDurable: isDurable) { file throws(FileError) in
            try file.synchronize()
        }
    }

    static func replace(
        _ path: String, with content: some Sequence<UInt8>, mode: mode_t = 0o600, suffix: String = ".new",
        isDurable: Bool = true, synchronize: (OpenFile) throws(FileError) -> Void
    ) throws(FileError) {
        let next = "\(path).\(UInt64.random(in: 0 ... .max))\(suffix)"
        try FileError.check(next, "replace")
        do throws(FileError) {
            try write(content, to: next, mode: mode, synchronize: synchronize)
            guard rename(next, path) == 0 else { throw FileError("replace", path) }
        } catch {
            unlink(next)
            throw error
        }
        if isDurable { try synchronizeFolder(of: path) }
    }

    /// Makes a new file for good, and leaves an existing one as it is. It appears with its whole content.
    ///
    /// Of several programs that make the same file at once, one succeeds. Where a file system has neither
    /// `RENAME_NOREPLACE` nor hard links, this holds among the programs of one machine.
    ///
    /// - Parameters:
    ///   - temporary: The file to write first, in the same folder; only a crash leaves it. It must not exist.
    ///   - mode: The mode of the new file, before the umask.
    /// - Returns: False if there was a file, or anything else, of this name.
    public static func create(
        _ path: String, with content: some Sequence<UInt8>, temporary: String, mode: mode_t = 0o600
    ) throws(FileError) -> Bool {
        for path in [path, temporary] { try FileError.check(path, "create") }
        let isNew: Bool
        do throws(FileError) {
            try write(content, to: temporary, mode: mode) { file throws(FileError) in try file.synchronize() }
            isNew = try NewName.give(path, to: temporary)
        } catch {
            unlink(temporary)
            throw error
        }
        if !isNew { unlink(temporary) }
        try synchronizeFolder(of: path)
        return isNew
    }

    private static func write(
        _ content: some Sequence<UInt8>, to path: String, mode: mode_t,
        synchronize: (OpenFile) throws(FileError) -> Void
    ) throws(FileError) {
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        try file.write(Array(content))
        try synchronize(file)
    }

    /// Brings a file to the disk, and renames it to `target` for good.
    public static func move(_ path: String, to target: String) throws(FileError) {
        try FileError.check(target, "replace")
        try OpenFile(path, O_RDONLY).synchronize()
        guard rename(path, target) == 0 else { throw FileError("replace", target) }
        try synchronizeFolder(of: target)
    }

    /// Removes a file for good; a missing file is not an error.
    public static func remove(_ path: String) throws(FileError) {
        try FileError.check(path, "remove")
        guard unlink(path) == 0 || errno == ENOENT else { throw FileError("remove", path) }
        try synchronizeFolder(of: path)
    }

    /// Makes a folder, and its missing parents, for good; an existing folder, or a link to one, is not an error.
    /// Anything else in its place is the error `ENOTDIR`.
    public static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(FileError) {
        try FileError.check(path, "create the folder")
        for isFirst in [true, false] {
            if mkdir(path, mode) == 0 { return try synchronizeFolder(of: path) }
            let number = errno
            if number == EEXIST {
                var status = stat()
                if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
                throw FileError("create the folder", path, number: ENOTDIR)
            }
            let above = folder(of: path)
            guard isFirst, number == ENOENT, above != path, above != "." else {
                throw FileError("create the folder", path, number: number)
            }
            try makeFolder(above, mode: mode)
        }
    }

    /// Returns when the names in the folder of `path` are on the disk.
    public static func synchronizeFolder(of path: String) throws(FileError) {
        try synchronize(folder: folder(of: path))
    }

    /// Returns when the names in a folder are on the disk.
    public static func synchronize(folder: String) throws(FileError) {
        let file = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        // Some file systems cannot do this for a folder; they return EINVAL, and there is no other way.
        guard fsync(file.descriptor) == 0 || errno == EINVAL else { throw FileError("save the folder", folder) }
    }

    /// The folder that contains a path.
    public static func folder(of path: String) -> String {
        // A mark that combines with the slash is part of the name after it.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
