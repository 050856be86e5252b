// SPDX-License-Identifier: MIT

import Glibc

/// An open file that only its owner may read. Every call blocks.
final class PrivateFile {
    enum Access {
        /// An existing file, for reading.
        case read
        /// A new file, for writing; the name must be free.
        case create
        /// An existing or a new file, for locking.
        case lock

        fileprivate var flags: Int32 {
            switch self {
            // O_NONBLOCK: opening a planted pipe must not wait for its other end.
            case .read: O_RDONLY | O_NONBLOCK
            case .create: O_WRONLY | O_CREAT | O_EXCL
            case .lock: O_RDWR | O_CREAT | O_NONBLOCK
            }
        }

        fileprivate var name: String { self == .create ? "create" : "open" }
    }

    let path: String
    private let descriptor: Int32

    /// Opens a file; new ones get the mode 0600.
    ///
    /// - Throws: ``SecurityError``: `insecureFile` for a link, a folder or a device, for another's file, and for one
    ///   that group or others may read or write.
    init(_ path: String, _ access: Access) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SecurityError(code: .notFound, message: "A path is not empty and has no NUL in it.")
        }
        self.path = path
        descriptor = open(path, access.flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP {
                throw SecurityError(
                    code: .insecureFile, message: "\(path) is a symbolic link. Give the path of the file itself.")
            }
            throw SecurityError(systemError: errno, doing: access.name, path: path)
        }
        try check()
    }

    deinit {
        // A process that this one has just forked has the open file, too, until it runs its own program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private func check() throws {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SecurityError(code: .insecureFile, message: "\(path) is not a plain file.")
        }
        guard status.st_uid == geteuid() else {
            throw SecurityError(
                code: .insecureFile,
                message: "\(path) belongs to the user \(status.st_uid). Only its user's files are trusted.")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SecurityError(
                code: .insecureFile,
                message: "Others can read or change \(path). If it has not been changed, run: chmod 600 \(path)")
        }
    }

    private func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw SecurityError(systemError: errno, doing: "look at", path: path)
        }
        return status
    }

    /// True if the file's name still leads to it, and not to a replacement.
    var isInPlace: Bool {
        var there = stat()
        guard let mine = try? status(), lstat(path, &there) == 0 else { return false }
        return mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
    }

    func size() throws -> Int { Int(try status().st_size) }

    /// Fills `buffer` from an offset up to the end of the file, and returns the number of bytes.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var done = 0
        while done < buffer.count {
            let target = buffer.baseAddress.map { $0 + done }
            let count = pread(descriptor, target, buffer.count - done, off_t(offset + done))
            if count == 0 { break }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw SecurityError(systemError: errno, doing: "read", path: path)
            }
        }
        return done
    }

    /// Writes all of `buffer` at the end.
    func write(_ buffer: UnsafeRawBufferPointer) throws {
        var done = 0
        while done < buffer.count {
            let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw SecurityError(systemError: errno, doing: "write", path: path)
            }
        }
    }

    /// Waits until the content is on the disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw SecurityError(systemError: errno, doing: "save", path: path) }
    }

    /// Takes the lock for this open file. It ends when the file is closed.
    ///
    /// - Returns: False if another open file holds it.
    func tryLock(exclusively: Bool) throws -> Bool {
        guard flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 else { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else {
            throw SecurityError(systemError: errno, doing: "lock", path: path)
        }
        return false
    }

    /// Waits until the names in the folder of `path` are on the disk.
    static func synchronizeFolder(of path: String) throws {
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SecurityError(systemError: errno, doing: "open the folder", path: parent) }
        defer { close(folder) }
        // Some file systems cannot do this for a folder; they return EINVAL, and there is no other way.
        guard fsync(folder) == 0 || errno == EINVAL else {
            throw SecurityError(systemError: errno, doing: "save the folder", path: parent)
        }
    }
}
