// SPDX-License-Identifier: MIT

public import Glibc

/// An open file, closed when the value ends. Every call blocks, and goes on after a signal.
public final class OpenFile: Sendable {
    /// Where it was when it was opened.
    public let path: String
    /// The open file's number. It is closed with this value.
    public let descriptor: Int32

    /// Opens a file; a child of this process does not get it.
    ///
    /// - Parameters:
    ///   - flags: Those of open(2), such as `O_RDONLY` or `O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW`.
    ///   - mode: Of a file that is made.
    public init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
        // A NUL would end the name before its time, and another file would be opened.
        guard !path.utf8.contains(0) else { throw FileError("open", path, number: EINVAL) }
        self.path = path
        descriptor = open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileError(flags & O_EXCL != 0 ? "create" : "open", path) }
    }

    deinit {
        close(descriptor)
    }

    /// All of a file's bytes; nil when there are more than `limit`.
    public static func contents(
        of path: String, limit: Int = .max, _ flags: Int32 = O_RDONLY
    ) throws(FileError) -> [UInt8]? {
        try OpenFile(path, flags).contents(limit: limit)
    }

    /// All bytes from the start; nil when there are more than `limit`.
    public func contents(limit: Int = .max) throws(FileError) -> [UInt8]? {
        let size = try size()
        guard size <= limit else { return nil }
        return try bytes(at: 0, maximum: size)
    }

    /// What the system knows of the file (fstat(2)).
    public func status() throws(FileError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileError("look at", path) }
        return status
    }

    /// How many bytes there are.
    public func size() throws(FileError) -> Int { Int(try status().st_size) }

    /// True if the name still leads to this file, and not to one that replaced it.
    public var isInPlace: Bool {
        var there = stat()
        guard let mine = try? status(), stat(path, &there) == 0 else { return false }
        return mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
    }

    /// Fills `buffer` from an offset as far as the file goes, and says how many bytes that were.
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

    /// Bytes from an offset on, as many as there are but `maximum` at the most.
    public func bytes(at offset: Int, maximum: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
            do throws(FileError) { count = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)) } catch {
                (failure, count) = (error, 0)
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes where the last writing ended; at the end of a file that was opened with `O_APPEND`.
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

    /// Writes all bytes where the last writing ended; at the end of a file that was opened with `O_APPEND`.
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

    /// Cuts everything off after so many bytes.
    public func truncate(to size: Int) throws(FileError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileError("shorten", path) }
    }

    /// Returns when what was written is on the disk.
    ///
    /// - Parameter contentOnly: Leaves out what reading does not need, such as the time of the change (fdatasync(2)).
    public func synchronize(contentOnly: Bool = false) throws(FileError) {
        guard (contentOnly ? fdatasync(descriptor) : fsync(descriptor)) == 0 else { throw FileError("save", path) }
    }

    /// Takes the file's lock (flock(2)) for this value, unless another open file has one that excludes it.
    ///
    /// - Returns: True if it was free.
    public func tryLock(exclusively: Bool = true) throws(FileError) -> Bool {
        if flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError("lock", path) }
        return false
    }

    /// Takes the file's lock, and waits for it as long as it takes.
    public func lock(exclusively: Bool = true) throws(FileError) {
        while flock(descriptor, exclusively ? LOCK_EX : LOCK_SH) != 0 {
            guard errno == EINTR else { throw FileError("lock", path) }
        }
    }

    /// Gives the lock back at once: a child that was forked meanwhile has the same open file until it runs its program, so that
    /// closing ours would not.
    public func unlock() { _ = flock(descriptor, LOCK_UN) }
}
