// SPDX-License-Identifier: MIT

public import Glibc

/// A file that replaces the one at a path once it is complete; until then it is beside the path, and the old file
/// stays.
///
/// A symbolic link stays one: its target, which may be missing, is replaced. The old file's mode stays. A pipe or a
/// device is written to directly, since replacing it would destroy it. Several may be pending for one path: the last
/// that is committed stays.
public struct PendingFile: Sendable {
    /// The path as the caller named it.
    public let path: String
    /// The path to write to: ``path`` with `.part-` and a random number, or the path itself.
    public let partial: String
    /// The mode of the replaced file; nil if there is none.
    public let mode: mode_t?
    /// The path after following links.
    private let target: String

    /// Inspects the path, and changes nothing.
    public init(_ path: String) {
        var status = stat()
        let exists = stat(path, &status) == 0
        self.path = path
        if exists && status.st_mode & S_IFMT != S_IFREG || path.hasPrefix("/proc/self/fd/") {
            (target, partial, mode) = (path, path, nil)
        } else {
            target = Self.resolved(path)
            partial = "\(target).part-\(UInt64.random(in: 0 ... .max))"
            mode = exists ? status.st_mode & 0o7777 : nil
        }
    }

    /// True if the path is a pipe, a device or a folder, which is written to directly.
    public var isSpecial: Bool { partial == target }

    /// Opens the file to write; only a crash leaves it.
    ///
    /// - Parameter mode: The mode of a new file, before the umask.
    public func open(mode: mode_t = 0o666) throws(FileError) -> OpenFile {
        do throws(FileError) {
            try FileError.check(path, "create")
            if isSpecial { return try OpenFile(path, O_WRONLY) }
            return try OpenFile(partial, O_WRONLY | O_CREAT | O_EXCL, mode: self.mode.map { $0 | 0o200 } ?? mode)
        } catch {
            throw FileError(error.action, path, number: error.number)
        }
    }

    /// Moves the written and synchronised file to its path.
    ///
    /// - Parameter replacing: True if a file may exist there; if not, it stays, and the error has the number `EEXIST`.
    public func commit(replacing: Bool = true) throws(FileError) {
        if isSpecial { return }
        if let mode { chmod(partial, mode) }
        guard replacing else {
            do throws(FileError) {
                if try NewName.give(target, to: partial) { return }
            } catch { throw FileError(error.action, path, number: error.number) }
            throw FileError("create", path, number: EEXIST)
        }
        guard rename(partial, target) == 0 else { throw FileError("replace", path) }
    }

    /// Removes the written file.
    public func discard() { if !isSpecial { unlink(partial) } }

    /// The path that the links of `path` lead to, which may be missing.
    private static func resolved(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        var path = path
        // As many links as the kernel follows (path_resolution(7)).
        for _ in 1...40 {
            guard let next = destination(of: path) else { break }
            path = next.utf8.first == UInt8(ascii: "/") ? next : "\(DurableFile.folder(of: path))/\(next)"
        }
        return path
    }

    private static func destination(of link: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &text, text.count)
        return count > 0 ? String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
