// SPDX-License-Identifier: MIT

import CSQLite
import Concurrency
import Glibc

/// A SQLite VFS (sqlite.org/vfs.html) that seals a database's main file and log over another VFS. There is no other
/// file: the connection keeps its journals and temporary tables in memory.
final class SealedVFS: Sendable {
    /// The reason why a file could not be opened, beyond SQLite's code.
    enum Refusal {
        case plain
        case wrongKey
        case newer
    }

    private struct File {
        var base = sqlite3_file()
        var content: Unmanaged<SealedFile>?
    }

    let name: String
    let seal: DatabaseSeal
    /// The refusal of the newest opening.
    let refusal = Guarded<Refusal?>(nil)
    // SAFETY: written in the initialiser only, except by SQLite's own list under SQLite's lock.
    nonisolated(unsafe) private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    nonisolated(unsafe) private let cName: UnsafeMutablePointer<CChar>
    // SAFETY: belongs to SQLite, which never changes it.
    nonisolated(unsafe) private let system: UnsafeMutablePointer<sqlite3_vfs>
    private static let headSize = (MemoryLayout<File>.size + 15) / 16 * 16

    /// Registers the VFS until the value is released, which a connection that uses it must outlive.
    init(_ seal: DatabaseSeal, over base: String?) throws {
        guard let system = sqlite3_vfs_find(base) else {
            throw DatabaseError(code: .other, message: "SQLite has no VFS \(base ?? "by default").")
        }
        let name = "parley-sealed-\(UInt64.random(in: 0 ... .max))"
        guard let copy = strdup(name) else {
            throw DatabaseError(code: .outOfMemory, message: "There is not enough memory to open a database.")
        }
        (self.name, self.seal, self.system, cName) = (name, seal, system, copy)
        vfs = .allocate(capacity: 1)
        // Methods that only ask the system about paths and time stay as they are.
        vfs.initialize(to: system.pointee)
        vfs.pointee.pNext = nil
        vfs.pointee.zName = UnsafePointer(cName)
        vfs.pointee.szOsFile = Int32(Self.headSize) + system.pointee.szOsFile
        vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            guard let owner = SealedVFS.owner(vfs), let file else { return SQLITE_MISUSE }
            return owner.open(path, file, flags, outFlags)
        }
        vfs.pointee.xDelete = { vfs, path, sync in
            guard let system = SealedVFS.owner(vfs)?.system else { return SQLITE_MISUSE }
            return system.pointee.xDelete(system, path, sync)
        }
        vfs.pointee.xAccess = { vfs, path, flags, result in
            guard let system = SealedVFS.owner(vfs)?.system else { return SQLITE_MISUSE }
            return system.pointee.xAccess(system, path, flags, result)
        }
        sqlite3_vfs_register(vfs, 0)
    }

    deinit {
        sqlite3_vfs_unregister(vfs)
        vfs.deallocate()
        free(cName)
    }

    private static func owner(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SealedVFS? {
        (vfs?.pointee.pAppData).map { Unmanaged<SealedVFS>.fromOpaque($0).takeUnretainedValue() }
    }

    private func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        file.pointee.pMethods = nil
        let isMain = flags & SQLITE_OPEN_MAIN_DB != 0
        guard isMain || flags & SQLITE_OPEN_WAL != 0 else { return SQLITE_CANTOPEN }
        let real = Self.real(file)
        let result = system.pointee.xOpen(system, path, real, flags, outFlags)
        guard result == SQLITE_OK else { return result }
        let content: SealedFile?
        if isMain {
            content = mainFile(real)
        } else {
            content = sqlite3_database_file_object(path).flatMap { Self.content($0) }.map {
                SealedFile(.log, cipher: $0.cipher, real: real)
            }
        }
        guard let content else {
            _ = real.pointee.pMethods.pointee.xClose(real)
            return SQLITE_CANTOPEN
        }
        UnsafeMutableRawPointer(file).bindMemory(to: File.self, capacity: 1).initialize(
            to: File(
                base: sqlite3_file(pMethods: SealedMethods.table), content: Unmanaged.passRetained(content)))
        return SQLITE_OK
    }

    private func mainFile(_ real: UnsafeMutablePointer<sqlite3_file>) -> SealedFile? {
        var size: Int64 = 0
        guard real.pointee.pMethods.pointee.xFileSize(real, &size) == SQLITE_OK else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(min(size, Int64(SealedHeader.byteCount))))
        guard real.pointee.pMethods.pointee.xRead(real, &bytes, Int32(bytes.count), 0) == SQLITE_OK else { return nil }
        let refused: Refusal?
        switch try? SealedHeader.read(bytes, with: seal) {
        case .sealed(let cipher): return SealedFile(.main, cipher: cipher, real: real)
        case .other: refused = .plain
        case .wrongKey: refused = .wrongKey
        case .newer: refused = .newer
        case .nothing, nil: refused = nil
        }
        refusal.withLock { $0 = refused }
        return nil
    }

    /// The underlying file, which is placed behind ours.
    static func real(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + headSize).assumingMemoryBound(to: sqlite3_file.self)
    }

    static func content(_ file: UnsafeMutablePointer<sqlite3_file>) -> SealedFile? {
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: File.self).pointee.content?.takeUnretainedValue()
    }

    static func release(_ file: UnsafeMutablePointer<sqlite3_file>) {
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: File.self).pointee.content?.release()
    }
}
