// SPDX-License-Identifier: MIT

import Glibc

/// The error of an operation on a file.
public struct FileError: Error, Hashable, CustomStringConvertible {
    /// The system's error number (errno(3)).
    public let number: Int32
    /// The failed operation: a verb, such as "write".
    public let action: String
    /// The file or folder.
    public let path: String

    /// The error of the last call, whose number is in `errno`.
    public init(_ action: String, _ path: String) { self.init(action, path, number: errno) }

    /// An error with an error number of the system.
    public init(_ action: String, _ path: String, number: Int32) {
        (self.action, self.path, self.number) = (action, path, number)
    }

    /// Throws `EINVAL` for a path with a NUL: C would end it there, and use another file.
    static func check(_ path: String, _ action: String) throws(FileError) {
        if path.utf8.contains(0) { throw FileError(action, path, number: EINVAL) }
    }

    /// The system's sentence, without a full stop.
    public var reason: String { String(cString: strerror(number)) }

    /// True if there is no space left, or no more is allowed.
    public var isDiskFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(number) }

    /// True if there is no such file or folder.
    public var isMissing: Bool { [ENOENT, ENOTDIR].contains(number) }

    /// True if the user may not do it, or the file system is read-only.
    public var isDenied: Bool { [EACCES, EPERM, EROFS].contains(number) }

    /// The failed operation and the reason.
    public var description: String { "Could not \(action) \(path): \(reason)." }
}
