// SPDX-License-Identifier: MIT

import Digests
import Glibc
import Networking
import ObjectStore

/// An open file of a recording, or of an upload that becomes one. Every call blocks.
final class SoundFile: Sendable {
    private let descriptor: Int32

    /// - Throws: ``DiskError``.
    init(_ path: String, _ flags: Int32) throws {
        descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DiskError("open a recording") }
    }

    deinit {
        close(descriptor)
    }

    /// The number of bytes.
    var length: Int {
        get throws {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw DiskError("look at a recording") }
            return Int(status.st_size)
        }
    }

    /// Returns bytes from an offset on, at most `maximum`; empty only at the end.
    func read(at offset: Int, maximum: Int) throws -> [UInt8] {
        var result = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
            repeat {
                result = pread(descriptor, buffer.baseAddress, maximum, off_t(offset))
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        guard result >= 0 else { throw DiskError("read a recording") }
        return bytes
    }

    /// Writes all bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int) throws {
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let part = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = pwrite(descriptor, part.baseAddress, part.count, off_t(offset + done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw DiskError("write a recording") }
                done += count
            }
        }
    }

    /// Cuts the file to a length.
    func truncate(to length: Int) throws {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw DiskError("shorten a recording") }
    }

    /// Returns when all writes are on the disk.
    func synchronize() throws {
        guard fdatasync(descriptor) == 0 else { throw DiskError("synchronise a recording") }
    }

    /// The SHA-256 of the whole file, in hexadecimal.
    func hash() throws -> String {
        var digest = try MessageDigest(.sha256)
        var offset = 0
        while true {
            let piece = try read(at: offset, maximum: 1 << 20)
            if piece.isEmpty { break }
            piece.withUnsafeBytes { digest.update($0) }
            offset += piece.count
        }
        return Hexadecimal.text(digest.finish())
    }

    /// The SHA-256 of an object, in hexadecimal.
    static func hash(of chunks: ObjectChunks) async throws -> String {
        var digest = try MessageDigest(.sha256)
        for try await chunk in chunks { chunk.withUnsafeBytes { digest.update($0) } }
        return Hexadecimal.text(digest.finish())
    }
}
