// SPDX-License-Identifier: MIT

public import Glibc

/// An open file, closed when the value ends. Every call blocks, and continues after a signal.
public final class OpenFile: Sendable {
    /// The path at which it was opened.
    public let path: String
    /// The file descriptor. It is closed with this value.
    public let descriptor: Int32

    /// Opens a file; a child of this process does not get it.
    ///
    /// - Parameters:
    ///   - flags: The flags of open(2), such as `O_RDONLY` or `O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW`.
    ///   - mode: The mode of a new file.
    public init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
        try FileError.check(path, "open")
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileError(flags & O_EXCL != 0 ? "create" : "open", path) }
    }

    deinit {
        close(descriptor)
    }

    /// All of a file's bytes; nil for more than `limit`.
    public static func contents(
        of path: String, limit: Int = .max, _ flags: Int32 = O_RDONLY
    ) throws(FileError) -> [UInt8]? {
        try OpenFile(path, flags).contents(limit: limit)
    }

    /// All bytes from the start; nil for more than `limit`.
    public func contents(limit: Int = .max) throws(FileError) -> [UInt8]? {
        let size = try size()
        guard size <= limit else { return nil }
        return try bytes(at: 0, maximum: size)
    }

    /// The file's status (fstat(2)).
    public func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("look at", path) }
        return status
    }

    /// The number of bytes. A pipe or a socket has none, which is the error `ESPIPE`.
    public func size() throws(FileError) -> Int {
        let status = try status()
        guard ![S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            throw FileError("read", path, number: ESPIPE)
        }
        return Int(status.st_size)
    }

    /// True if the name still leads to this file, and not to a replacement.
    public var isInPlace: Bool {
        var there = stat()
        guard let mine = try? status(), stat(path, &there) == 0 else { return false }
        return mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
    }

    /// Fills `buffer` from an offset up to the end of the file, and returns the number of bytes.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Returns bytes from an offset on, at most `maximum`, fewer only at the end of the file.
    public func bytes(at offset: Int, maximum: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        // Not the size alone: files of procfs have the size 0.
        let most = maximum <= 16 << 20 ? maximum : min(maximum, max(16 << 20, try size() - offset))
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            do throws(FileError) { count = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)) } catch {
                (failure, count) = (error, 0)
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes after the previous write; at the end of a file that was opened with `O_APPEND`.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try writeAll(bytes) { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Writes all bytes at an offset.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        var place = offset
        try writeAll(bytes) {
            let count = pwrite(descriptor, $0.baseAddress, $0.count, off_t(place))
            place += max(0, count)
            return count
        }
    }

    /// Writes all bytes after the previous write; at the end of a file that was opened with `O_APPEND`.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileError) { try write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func writeAll(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Int
    ) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = body(UnsafeRawBufferPointer(rebasing: rest))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path, number: count == 0 ? EIO : errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Cuts the file to a size.
    public func truncate(to size: Int) throws(FileError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileError("shorten", path) }
    }

    /// Returns when all writes are on the disk.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw FileError("save", path) }
    }

    /// Takes the file's lock (flock(2)) for this value, unless another open file has a lock that excludes it.
    ///
    /// - Returns: True if it was free.
    public func tryLock(exclusively: Bool = true) throws(FileError) -> Bool {
        if flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError("lock", path) }
        return false
    }

    /// Takes the file's lock, and waits for it without a time limit.
    public func lock(exclusively: Bool = true) throws(FileError) {
        while flock(descriptor, exclusively ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else { throw FileError("lock", path) }
        }
    }

    /// Releases the lock at once: a child that was forked meanwhile has the same open file until it runs its program,
    /// so that closing this descriptor would not release it.
    public func unlock() { _ = flock(descriptor, LOCK_UN) }
}
