// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials
import Glibc
import Networking

/// Files of a backup: copied with their hashes, on the disk before a call returns. Every call blocks.
enum BackupFiles {
    /// The list of all files with their hashes, in the format of sha256sum(1). It is written last: a folder that has it
    /// is complete.
    static let list = "SHA256SUMS"
    private static let pieceSize = 1 << 20

    /// Copies a file into a new one of mode 0600.
    ///
    /// - Returns: The SHA-256 of the content; nil if the file is missing.
    /// - Throws: ``BackupError``.
    static func copy(_ source: String, to target: String) throws -> String? {
        let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else {
            if errno == ENOENT { return nil }
            throw BackupError.system(source, errno)
        }
        defer { close(input) }
        try makeFolder(parent(of: target))
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw BackupError.system(target, errno) }
        defer { close(output) }
        let hash = try forEachPiece(of: input, source) { try write($0, to: output, target) }
        guard fsync(output) == 0 else { throw BackupError.system(target, errno) }
        return hash
    }

    /// The SHA-256 of a file; nil if it is missing.
    static func hash(_ path: String) throws -> String? {
        let input = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard input >= 0 else {
            if errno == ENOENT { return nil }
            throw BackupError.system(path, errno)
        }
        defer { close(input) }
        return try forEachPiece(of: input, path) { _ in }
    }

    /// Writes a small file that is on the disk when this returns.
    static func write(_ text: String, to path: String) throws {
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw BackupError.system(path, errno) }
        defer { close(output) }
        var bytes = Array(text.utf8)
        try bytes.withUnsafeMutableBytes { try write(UnsafeRawBufferPointer($0), to: output, path) }
        guard fsync(output) == 0 else { throw BackupError.system(path, errno) }
    }

    /// True if a folder is this user's, and no other can use it: ``makeFolder(_:)`` makes such ones.
    static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & (S_IFMT | 0o777) == S_IFDIR | 0o700
            && status.st_uid == geteuid()
    }

    /// Opens a folder with a lock that ends with its descriptor, and with the process.
    ///
    /// - Parameter orNone: True if it is opened without the lock on a file system that has none.
    /// - Throws: ``BackupError``, with EWOULDBLOCK if another backup has it.
    static func lock(_ path: String, orNone: Bool = false) throws -> Int32 {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard folder >= 0 else { throw BackupError.system(path, errno) }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 || (orNone && errno != EWOULDBLOCK) else {
            defer { close(folder) }
            throw BackupError.system(path, errno)
        }
        // Another backup may have removed it before it was locked.
        var (opened, present) = (stat(), stat())
        guard fstat(folder, &opened) == 0, lstat(path, &present) == 0, opened.st_ino == present.st_ino else {
            close(folder)
            throw BackupError.system(path, ENOENT)
        }
        return folder
    }

    /// Makes a folder, and locks it. Another backup may take it for a leftover in between, once or twice.
    static func makeLockedFolder(_ path: String) throws -> Int32 {
        for _ in 0..<3 {
            try makeFolder(path)
            do { return try lock(path, orNone: true) } catch BackupError.system(_, ENOENT) { continue }
        }
        throw BackupError.system(path, ENOENT)
    }

    /// Makes a folder that only its owner can use, and its missing parents.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST || path.isEmpty { return }
        guard errno == ENOENT else { throw BackupError.system(path, errno) }
        try makeFolder(parent(of: path))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw BackupError.system(path, errno) }
    }

    /// Returns when the bytes of a file are on the disk.
    static func synchronize(file: String) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.system(file, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupError.system(file, errno) }
    }

    /// Returns when the names in a folder are on the disk.
    static func synchronize(folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BackupError.system(folder, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BackupError.system(folder, errno) }
    }

    /// The folders that files lie in, themselves and those above, relative as the paths are.
    static func folders(of paths: [String]) -> Set<String> {
        var folders: Set<String> = []
        for path in paths {
            var folder = parent(of: path)
            while folder != ".", folders.insert(folder).inserted { folder = parent(of: folder) }
        }
        return folders
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func forEachPiece(
        of descriptor: Int32, _ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> String {
        var digest = try MessageDigest(.sha256)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BackupError.system(path, errno) }
            if count == 0 { break }
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            digest.update(piece)
            try body(piece)
        }
        return Hexadecimal.text(digest.finish())
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BackupError.system(path, errno) }
            rest = rest.dropFirst(count)
        }
    }
}
