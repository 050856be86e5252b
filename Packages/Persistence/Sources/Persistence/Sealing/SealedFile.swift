// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// One open file of a sealed database: SQLite sees pages and log frames, the disk has each of them sealed.
///
/// A page is a block of its own in the main file. In the log, a frame's header is sealed with its page: SQLite writes
/// the two one after the other, so the header waits in memory for its page.
final class SealedFile {
    enum Kind {
        case main
        case log
    }

    static let pageSize: Int64 = 4_096
    /// sqlite.org/fileformat2.html §4.1
    private static let logHeader: Int64 = 32
    private static let frameHeader: Int64 = 24
    private static let overhead = Int64(DatabaseSeal.overhead)

    // sqlite.org/rescode.html; Swift does not import these macros.
    private static let readError = SQLITE_IOERR | 1 << 8
    private static let shortRead = SQLITE_IOERR | 2 << 8
    private static let writeError = SQLITE_IOERR | 3 << 8

    let kind: Kind
    let cipher: any PageCipher
    private let real: UnsafeMutablePointer<sqlite3_file>
    private let plain: UnsafeMutableRawBufferPointer
    private let sealed: UnsafeMutableRawBufferPointer
    /// The header of a frame whose page was not written yet.
    private var waiting: (frame: Int64, header: [UInt8])?

    init(_ kind: Kind, cipher: any PageCipher, real: UnsafeMutablePointer<sqlite3_file>) {
        self.kind = kind
        self.cipher = cipher
        self.real = real
        let size = Int(Self.pageSize + (kind == .main ? 0 : Self.frameHeader))
        plain = .allocate(byteCount: size, alignment: 16)
        sealed = .allocate(byteCount: size + DatabaseSeal.overhead, alignment: 16)
    }

    deinit {
        plain.initializeMemory(as: UInt8.self, repeating: 0)
        plain.deallocate()
        sealed.deallocate()
    }

    /// The bytes before the first block: SQLite's own header in the log, ours in the main file.
    private var visibleHead: Int64 { kind == .main ? 0 : Self.logHeader }
    private var storedHead: Int64 { kind == .main ? Int64(SealedHeader.byteCount) : Self.logHeader }
    private var block: Int64 { Int64(plain.count) }
    private var methods: sqlite3_io_methods { real.pointee.pMethods.pointee }

    private func offset(of index: Int64) -> Int64 { storedHead + index * (block + Self.overhead) }

    /// Keeps a block from standing in for one of another file kind or position.
    private func context(of index: Int64) -> UInt64 { UInt64(index) << 1 | (kind == .main ? 0 : 1) }

    func size(_ result: inout Int64) -> Int32 {
        let code = flush()
        guard code == SQLITE_OK else { return code }
        var stored: Int64 = 0
        let found = methods.xFileSize(real, &stored)
        guard found == SQLITE_OK else { return found }
        guard stored > storedHead else {
            result = kind == .main ? 0 : stored
            return SQLITE_OK
        }
        // A last block that a crash cut short was never acknowledged.
        result = visibleHead + (stored - storedHead) / (block + Self.overhead) * block
        return SQLITE_OK
    }

    func truncate(_ size: Int64) -> Int32 {
        let code = flush()
        guard code == SQLITE_OK else { return code }
        guard size > visibleHead else { return methods.xTruncate(real, kind == .main ? storedHead : size) }
        return methods.xTruncate(real, offset(of: (size - visibleHead + block - 1) / block))
    }

    func read(_ target: UnsafeMutableRawPointer, _ count: Int, _ position: Int64) -> Int32 {
        let code = flush()
        guard code == SQLITE_OK else { return code }
        if position + Int64(count) <= visibleHead { return methods.xRead(real, target, Int32(count), position) }
        guard position >= visibleHead else { return Self.readError }
        var done = 0
        while done < count {
            let (index, inner) = (position + Int64(done) - visibleHead).quotientAndRemainder(dividingBy: block)
            switch load(index) {
            case SQLITE_OK: break
            case Self.shortRead:
                (target + done).initializeMemory(as: UInt8.self, repeating: 0, count: count - done)
                return Self.shortRead
            // Recovery reads whole frames up to the first invalid one: here the log ends.
            case SQLITE_CORRUPT where kind == .log && inner == 0: plain.initializeMemory(as: UInt8.self, repeating: 0)
            case let code: return code
            }
            let piece = min(count - done, Int(block - inner))
            guard let source = plain.baseAddress else { return Self.readError }
            (target + done).copyMemory(from: source + Int(inner), byteCount: piece)
            done += piece
        }
        return SQLITE_OK
    }

    func write(_ source: UnsafeRawPointer, _ count: Int, _ position: Int64) -> Int32 {
        if position + Int64(count) <= visibleHead {
            let code = flush()
            return code == SQLITE_OK ? methods.xWrite(real, source, Int32(count), position) : code
        }
        let (index, inner) = (position - visibleHead).quotientAndRemainder(dividingBy: block)
        switch (kind, inner, Int64(count)) {
        case (.main, 0, Self.pageSize):
            plain.baseAddress?.copyMemory(from: source, byteCount: count)
            return store(index)
        case (.log, 0, Self.frameHeader):
            let code = flush()
            guard code == SQLITE_OK else { return code }
            waiting = (index, Array(UnsafeRawBufferPointer(start: source, count: count)))
            return SQLITE_OK
        case (.log, Self.frameHeader, Self.pageSize):
            guard let waiting, waiting.frame == index, let target = plain.baseAddress else { return Self.writeError }
            self.waiting = nil
            plain.copyBytes(from: waiting.header)
            (target + Int(Self.frameHeader)).copyMemory(from: source, byteCount: count)
            return store(index)
        // SQLite writes nothing else into a database with a log.
        default: return Self.writeError
        }
    }

    /// Stores a header that was written without its page: SQLite does so to an existing frame, to correct its checksum.
    func flush() -> Int32 {
        guard let waiting else { return SQLITE_OK }
        self.waiting = nil
        let code = load(waiting.frame)
        // A new frame that was given up before its page was written.
        if code == Self.shortRead { return SQLITE_OK }
        guard code == SQLITE_OK else { return code }
        plain.copyBytes(from: waiting.header)
        return store(waiting.frame)
    }

    private func load(_ index: Int64) -> Int32 {
        let code = methods.xRead(real, sealed.baseAddress, Int32(sealed.count), offset(of: index))
        guard code == SQLITE_OK else { return code }
        if cipher.open(UnsafeRawBufferPointer(sealed), at: context(of: index), into: plain) { return SQLITE_OK }
        // A page that SQLite has never written, since it was empty, is a hole in the file.
        guard kind == .main, sealed.allSatisfy({ $0 == 0 }) else { return SQLITE_CORRUPT }
        plain.initializeMemory(as: UInt8.self, repeating: 0)
        return SQLITE_OK
    }

    private func store(_ index: Int64) -> Int32 {
        guard cipher.seal(UnsafeRawBufferPointer(plain), at: context(of: index), into: sealed) else {
            return Self.writeError
        }
        return methods.xWrite(real, sealed.baseAddress, Int32(sealed.count), offset(of: index))
    }
}
