// SPDX-License-Identifier: MIT

import Glibc

/// The first 64 bytes of a sealed database: a magic, a version, the file's salt and the check value of its key. The
/// README has the format.
struct SealedHeader {
    static let byteCount = 16 + DatabaseSeal.saltByteCount + DatabaseSeal.checkByteCount
    static let magic = Array("PARLEYDB".utf8)

    /// The content of a file by its first bytes.
    enum Content {
        case nothing
        case sealed(any PageCipher)
        case wrongKey
        case newer
        /// A database that is not sealed, or another kind of file.
        case other
    }

    static func read(_ bytes: [UInt8], with seal: DatabaseSeal) throws -> Content {
        guard !bytes.isEmpty else { return .nothing }
        guard bytes.count == byteCount, bytes.starts(with: magic) else { return .other }
        guard bytes[8] == 1 else { return .newer }
        let saltEnd = 16 + DatabaseSeal.saltByteCount
        let (cipher, check) = try seal.cipher(Array(bytes[16..<saltEnd]))
        return Array(bytes[saltEnd...]) == check ? .sealed(cipher) : .wrongKey
    }

    static func make(_ seal: DatabaseSeal) throws -> [UInt8] {
        let salt = (0..<DatabaseSeal.saltByteCount).map { _ in UInt8.random(in: 0 ... .max) }
        return magic + [1] + [UInt8](repeating: 0, count: 7) + salt + (try seal.cipher(salt).check)
    }

    /// Writes a header into a file that is empty, unless another program does so first.
    static func initialize(_ path: String, _ seal: DatabaseSeal) throws {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw DatabaseError(systemError: errno, doing: "open", path: path) }
        defer { close(file) }
        var status = stat()
        guard flock(file, LOCK_EX) == 0, fstat(file, &status) == 0 else {
            throw DatabaseError(systemError: errno, doing: "lock", path: path)
        }
        guard status.st_size == 0 else { return }
        let header = try make(seal)
        guard pwrite(file, header, header.count, 0) == header.count, fsync(file) == 0 else {
            let number = errno
            ftruncate(file, 0)
            throw DatabaseError(systemError: number, doing: "write", path: path)
        }
    }
}
