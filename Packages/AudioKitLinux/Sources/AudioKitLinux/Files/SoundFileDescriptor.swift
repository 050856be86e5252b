// SPDX-License-Identifier: MIT
internal import CSndFile
import CSndFileCalls
internal import Glibc

/// Opens file descriptors for libsndfile, so that each failure of the system has its own error, and a pipe or a folder
/// is refused without waiting for it.
struct SoundFileDescriptor {
    let descriptor: Int32
    /// The size of the file in bytes.
    let size: Int
    /// The first bytes, at most 12.
    let beginning: [UInt8]

    /// Loads libsndfile, before any of its functions is called. Throws `libraryMissing`.
    static func loadLibrary() throws(AudioError) {
        if let reason = csndfile_load() { throw AudioError(.libraryMissing, String(cString: reason)) }
    }

    static func openForReading(_ path: String) throws(AudioError) -> SoundFileDescriptor {
        try loadLibrary()
        // O_NONBLOCK: opening a pipe without a writer would otherwise wait for ever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw openFailure(path, errno: errno, isWriting: false) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw openFailure(path, errno: code, isWriting: false)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw AudioError(
                .fileNotReadable, "\(path) is \(kind(status.st_mode)), not a sound file. Name a file on disk.")
        }
        guard status.st_size > 0 else {
            Glibc.close(descriptor)
            throw AudioError(.emptyFile, "\(path) is empty. Record it again.")
        }
        return SoundFileDescriptor(
            descriptor: descriptor, size: Int(status.st_size), beginning: bytes(of: descriptor, from: 0, count: 12))
    }

    /// At most `count` bytes from `offset` on; fewer at the file's end, or when a read fails.
    static func bytes(of descriptor: Int32, from offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            while filled < count, let base = target.baseAddress {
                let got = pread(descriptor, base + filled, count - filled, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
        }
    }

    static func openForWriting(_ path: String, replacing: Bool) throws(AudioError) -> Int32 {
        // O_NONBLOCK: see above. The file is truncated after the check, so that a refused path keeps its content.
        let flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC | (replacing ? 0 : O_EXCL)
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw openFailure(path, errno: errno, isWriting: true) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw openFailure(path, errno: code, isWriting: true)
        }
        let type = status.st_mode & S_IFMT
        guard type == S_IFREG || type == S_IFCHR, isatty(descriptor) == 0 else {
            Glibc.close(descriptor)
            throw AudioError(
                .fileNotWritable, "\(path) is \(kind(status.st_mode)); a sound file cannot be written to it.")
        }
        // The lock lasts as long as the descriptor. A disk without locks allows everything.
        // A child that another thread starts has a closed file's lock, too, until it runs its program.
        var tries = type == S_IFREG ? 50 : 0
        while tries > 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            tries -= 1
            if tries > 0 {
                usleep(2_000)
                continue
            }
            Glibc.close(descriptor)
            throw AudioError(.fileExists, "\(path) is being written at this moment. Choose another name.")
        }
        if type == S_IFREG, ftruncate(descriptor, 0) != 0 {
            let code = errno
            Glibc.close(descriptor)
            throw openFailure(path, errno: code, isWriting: true)
        }
        return descriptor
    }

    static func openFailure(_ path: String, errno code: Int32, isWriting: Bool) -> AudioError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOENT where isWriting, ENOTDIR where isWriting:
            return AudioError(
                .fileNotFound, "\(path) cannot be created: its folder does not exist. Create the folder first.",
                underlying: reason)
        case ENOENT, ENOTDIR:
            return AudioError(.fileNotFound, "There is no file \(path). Check the name.", underlying: reason)
        case EACCES, EPERM:
            let what = isWriting ? "write" : "read"
            return AudioError(
                isWriting ? .fileNotWritable : .fileNotReadable,
                "You may not \(what) \(path). Change its permissions or choose another file.",
                underlying: reason)
        case EEXIST:
            return AudioError(
                .fileExists, "\(path) exists already. Choose another name, or say that it is to be replaced.",
                underlying: reason)
        case EISDIR:
            return AudioError(
                isWriting ? .fileNotWritable : .fileNotReadable, "\(path) is a folder. Name a file in it.",
                underlying: reason)
        case ENOSPC, EDQUOT:
            return diskFull(path, reason: reason)
        case ENXIO where isWriting, EROFS:
            return AudioError(
                .fileNotWritable, "\(path) cannot be written to. Choose another folder.", underlying: reason)
        default:
            return AudioError(
                .io, "\(path) cannot be opened; check the disk and the name.", underlying: reason)
        }
    }

    static func readFailure(_ path: String, beginning: [UInt8], reason: String) -> AudioError {
        let marks: [[UInt8]] = [
            Array("RIFF".utf8), Array("fLaC".utf8), Array("OggS".utf8), Array("FORM".utf8), Array("RF64".utf8),
        ]
        if marks.contains(where: { beginning.starts(with: $0) }) {
            return AudioError(
                .truncatedFile, "\(path) is damaged or cut short at its beginning. Copy or record it again.",
                underlying: reason)
        }
        return AudioError(
            .notASoundFile, "\(path) is not a sound file that can be read. Use WAV, FLAC, Ogg or MP3.",
            underlying: reason)
    }

    static func diskFull(_ path: String, reason: String) -> AudioError {
        AudioError(
            .diskFull, "The disk is full: \(path) could not be written. Free some space or choose another folder.",
            underlying: reason)
    }

    /// Throws `fileNotWritable` if both paths lead to the same existing file.
    static func refuseSameFile(input: String, output: String) throws(AudioError) {
        var one = stat()
        var other = stat()
        guard stat(input, &one) == 0, stat(output, &other) == 0, one.st_dev == other.st_dev, one.st_ino == other.st_ino
        else { return }
        throw AudioError(
            .fileNotWritable,
            "\(output) is the input too and would be overwritten. Choose another file for the output.")
    }

    /// libsndfile's message about the last error of a file or of opening one.
    static func reason(_ handle: OpaquePointer?) -> String {
        // For an unknown number, libsndfile would print to the standard output.
        guard (1...10_000).contains(sf_error(handle)) else { return "" }
        return String(cString: sf_strerror(handle))
    }

    private static func kind(_ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFDIR: "a folder"
        case S_IFIFO: "a pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a regular file"
        }
    }
}
