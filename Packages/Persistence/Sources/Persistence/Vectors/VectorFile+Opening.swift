// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

extension VectorFile {
    static func open(_ path: String) throws -> Int32 {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw DatabaseError(code: .invalidPath, message: "A vector file's path is not empty and has no NUL in it.")
        }
        return Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    /// Refuses a file that is no longer the one under its name: another index has compacted it between the opening and
    /// the lock, and writes to it would be lost.
    static func requireInPlace(_ descriptor: Int32, path: String) throws {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0, stat(path, &named) == 0 else {
            throw DatabaseError(systemError: errno, doing: "open", path: path)
        }
        guard own.st_ino == named.st_ino, own.st_dev == named.st_dev else {
            throw DatabaseError(code: .busy, message: "Another program has just replaced \(path). Try again.")
        }
    }

    /// The valid header; a new file gets one. A file that is shorter than its header demands is refused, since reading
    /// beyond a file's end through a mapping ends the process.
    static func header(of descriptor: Int32, _ layout: VectorLayout, path: String) throws -> VectorHeader {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw DatabaseError(systemError: errno, doing: "open", path: path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DatabaseError(code: .notFound, message: "\(path) is not a file.")
        }
        let size = Int(status.st_size)
        let bytes = try read(descriptor, count: min(size, VectorLayout.headers), path: path)
        // Also a file that a crash left while it was being created.
        if size <= VectorLayout.headers, bytes.allSatisfy({ $0 == 0 }) {
            return try create(descriptor, layout, path: path)
        }
        let copies = [0, VectorLayout.page].compactMap { start in
            start < bytes.count ? bytes[start...].withUnsafeBytes { VectorHeader($0) } : nil
        }
        guard let header = copies.max(by: { $0.sequence < $1.sequence }) else {
            throw DatabaseError(damagedVectors: path, detail: "both copies of its header are damaged")
        }
        guard header.dimension == layout.dimension else {
            throw DatabaseError(dimension: layout.dimension, wanted: header.dimension)
        }
        guard let needed = layout.size(rows: header.rows), needed <= size || header.rows == 0 else {
            throw DatabaseError(damagedVectors: path, detail: "it was cut short")
        }
        return header
    }

    static func map(_ descriptor: Int32, _ size: Int, path: String) throws -> UnsafeRawPointer {
        guard let base = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), base != csqlite_map_failed() else {
            throw DatabaseError(systemError: errno, doing: "map", path: path)
        }
        return UnsafeRawPointer(base)
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int, path: String) throws {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw DatabaseError(systemError: errno, doing: "write", path: path)
            }
        }
    }

    private static func create(_ descriptor: Int32, _ layout: VectorLayout, path: String) throws -> VectorHeader {
        let header = VectorHeader(dimension: layout.dimension, sequence: 1, rows: 0)
        guard ftruncate(descriptor, VectorLayout.headers) == 0 else {
            throw DatabaseError(systemError: errno, doing: "extend", path: path)
        }
        for offset in [0, VectorLayout.page] {
            try header.bytes.withUnsafeBytes { try write(descriptor, $0, at: offset, path: path) }
        }
        guard fsync(descriptor) == 0 else { throw DatabaseError(systemError: errno, doing: "write", path: path) }
        DatabaseFile.syncParent(of: path)
        return header
    }

    private static func read(_ descriptor: Int32, count: Int, path: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, off_t(done))
            }
            if read == 0 { break }
            if read > 0 {
                done += read
            } else if errno != EINTR {
                throw DatabaseError(systemError: errno, doing: "read", path: path)
            }
        }
        return bytes
    }
}
