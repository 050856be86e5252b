// SPDX-License-Identifier: MIT

import Glibc

/// The file operations of recordings. The calls block.
enum RecordingFiles {
    /// The context that binds a sealed file to its recording.
    static func context(_ id: String) -> [UInt8] { Array("parley recording\n\(id)".utf8) }

    /// The bytes of a sealed file for so many bytes of plaintext: a header, and a tag for each chunk.
    static func sealedByteCount(_ plain: Int) -> Int {
        64 + plain + 16 * max(1, (plain + RecordingSlot.byteCount - 1) / RecordingSlot.byteCount)
    }

    /// The bytes that an ordinary user may still write beside `path`; nil if the file system does not report them.
    static func availableBytes(at path: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder(of: path), &status) == 0 else { return nil }
        let (bytes, isMore) = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
        return isMore ? .max : Int(clamping: bytes)
    }

    /// Removes a file for good; a missing file is no error.
    static func remove(_ path: String) throws(RecordingError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(errno, doing: "remove", path) }
        try synchronizeFolder(of: path)
    }

    /// Makes an empty file with the mode 0600, which must not exist.
    static func claim(_ path: String) throws(RecordingError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno, doing: "create", path) }
        close(descriptor)
    }

    /// Synchronises a file, and puts it in the place of `target` for good.
    static func replace(_ target: String, by path: String) throws(RecordingError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno, doing: "open", path) }
        let code = fsync(descriptor) == 0 ? 0 : errno
        close(descriptor)
        if code != 0 { throw failure(code, doing: "save", path) }
        guard rename(path, target) == 0 else { throw failure(errno, doing: "replace", target) }
        try synchronizeFolder(of: target)
    }

    static func failure(_ code: Int32, doing action: String, _ path: String) -> RecordingError {
        let reason = String(cString: strerror(code))
        let message = "Could not \(action) \(path): \(reason)."
        switch code {
        case EEXIST:
            return RecordingError(
                .alreadyExists, "\(path) already exists. Choose another name, or allow its replacement.")
        case ENOENT, ENOTDIR: return RecordingError(.notFound, message)
        case EACCES, EPERM, EROFS, ELOOP: return RecordingError(.permission, message)
        case ENOSPC, EDQUOT, EFBIG: return RecordingError(.diskFull, message)
        default: return RecordingError(.inputOutput, message)
        }
    }

    private static func synchronizeFolder(of path: String) throws(RecordingError) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno, doing: "open the folder of", path) }
        defer { close(descriptor) }
        // Some file systems cannot do this for a folder; they return EINVAL, and there is nothing else to do.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(errno, doing: "save the folder of", path) }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}
