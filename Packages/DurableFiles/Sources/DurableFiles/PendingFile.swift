// SPDX-License-Identifier: MIT

public import Glibc

/// A file that takes the place at a path once it is whole; until then it is beside it, and what was there stays.
///
/// A symbolic link stays one: what it leads to is replaced. The mode of what was there stays. A pipe or a device is written to
/// as it is, since replacing it would destroy it.
public struct PendingFile: Sendable {
    /// The path that was named.
    public let path: String
    /// Where to write.
    public let partial: String
    /// The mode of the file that is replaced; nil where there is none.
    public let mode: mode_t?
    /// Where the path leads.
    private let target: String

    /// Looks at what is there, and changes nothing.
    public init(_ path: String) {
        var status = stat()
        let exists = stat(path, &status) == 0
        self.path = path
        if exists && status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/proc/self/fd/") {
            (target, partial, mode) = (path, path, nil)
        } else {
            target = exists ? Self.resolved(path) : path
            partial = "\(target).part-\(getpid())"
            mode = exists ? status.st_mode & 0o7777 : nil
        }
    }

    /// True if the path is a pipe, a device or a folder, which is written to as it is.
    public var isSpecial: Bool { partial == target }

    /// Opens the file to write. What a program of the same number left there goes.
    ///
    /// - Parameter mode: Of a file that was not there, before the umask.
    public func open(mode: mode_t = 0o666) throws(FileError) -> OpenFile {
        do throws(FileError) {
            if isSpecial { return try OpenFile(path, O_WRONLY) }
            unlink(partial)
            return try OpenFile(partial, O_WRONLY | O_CREAT | O_EXCL, mode: self.mode.map { $0 | 0o200 } ?? mode)
        } catch {
            throw FileError(error.action, path, number: error.number)
        }
    }

    /// Puts what was written and synchronised in its place.
    ///
    /// - Parameter replacing: True if a file may be there; if not, it stays, and the error has the number `EEXIST`.
    public func commit(replacing: Bool = true) throws(FileError) {
        if isSpecial { return }
        if let mode { chmod(partial, mode) }
        // Unlike a renaming, a link never takes the place of what is there.
        guard replacing ? rename(partial, target) == 0 : link(partial, target) == 0 else {
            throw FileError(replacing ? "replace" : "create", path)
        }
        if !replacing { unlink(partial) }
    }

    /// Removes what was written so far.
    public func discard() { if !isSpecial { unlink(partial) } }

    /// Where the links of `path` lead.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
