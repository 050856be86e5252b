// SPDX-License-Identifier: MIT

import CSQLite
import Concurrency
import Glibc

@testable import Persistence

/// A SQLite VFS (sqlite.org/vfs.html) over the system's that fails when it is told to, and remembers what was not synced.
final class FaultVFS: Sendable {
    struct File {
        var base = sqlite3_file()
        var owner: UnsafeRawPointer?
        var path: Unmanaged<Path>?
    }

    final class Path: Sendable {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    let name: String
    let plan = Guarded(FaultPlan())
    // SAFETY: made once and only read afterwards, except by SQLite's own list under SQLite's lock.
    nonisolated(unsafe) private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    nonisolated(unsafe) private let cName: UnsafeMutablePointer<CChar>
    nonisolated(unsafe) private static let system: UnsafeMutablePointer<sqlite3_vfs> = {
        guard let vfs = sqlite3_vfs_find("unix") else { fatalError("SQLite has no unix VFS") }
        return vfs
    }()
    private static let headSize = (MemoryLayout<File>.size + 15) / 16 * 16

    init() {
        name = "fault-\(UInt64.random(in: 0 ... .max))"
        guard let copy = strdup(name) else { fatalError("no memory") }
        cName = copy
        vfs = .allocate(capacity: 1)
        // What only asks the system about paths and time stays as it is.
        vfs.initialize(to: Self.system.pointee)
        vfs.pointee.pNext = nil
        vfs.pointee.zName = UnsafePointer(cName)
        vfs.pointee.szOsFile = Int32(Self.headSize) + Self.system.pointee.szOsFile
        vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in
            FaultVFS.open(vfs, path, file, flags, outFlags)
        }
        vfs.pointee.xDelete = { vfs, path, sync in FaultVFS.delete(vfs, path, sync) }
        sqlite3_vfs_register(vfs, 0)
    }

    /// After the last database that used it was closed.
    deinit {
        sqlite3_vfs_unregister(vfs)
        vfs.deallocate()
        free(cName)
    }

    private static func owner(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultVFS? {
        (vfs?.pointee.pAppData).map { Unmanaged<FaultVFS>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let owner = owner(vfs), let file else { return SQLITE_MISUSE }
        file.pointee.pMethods = nil
        let text = path.map { String(cString: $0) } ?? ""
        if let fault = owner.plan.withLock({ $0.meets(.open, text) }) { return FaultPlan.result(.open, fault) }
        let real = real(file)
        let result = system.pointee.xOpen(system, path, real, flags, outFlags)
        guard result == SQLITE_OK else { return result }
        UnsafeMutableRawPointer(file).bindMemory(to: File.self, capacity: 1).initialize(
            to: File(
                base: sqlite3_file(pMethods: FaultMethods.table),
                owner: UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque()),
                path: Unmanaged.passRetained(Path(text))))
        if path != nil { owner.remember(text, real) }
        return SQLITE_OK
    }

    /// What a file holds when it is opened is on the disk.
    private func remember(_ path: String, _ real: UnsafeMutablePointer<sqlite3_file>) {
        plan.withLock { plan in
            guard plan.images[path] == nil else { return }
            var size: Int64 = 0
            _ = real.pointee.pMethods.pointee.xFileSize(real, &size)
            var bytes = [UInt8](repeating: 0, count: Int(size))
            _ = real.pointee.pMethods.pointee.xRead(real, &bytes, Int32(size), 0)
            plan.images[path] = FaultPlan.Image(durable: bytes)
        }
    }

    private static func delete(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ sync: Int32
    ) -> Int32 {
        guard let owner = owner(vfs), let path else { return SQLITE_MISUSE }
        let text = String(cString: path)
        let fault = owner.plan.withLock { plan in
            let fault = plan.meets(.delete, text)
            if fault == nil { plan.images[text] = nil }
            return fault
        }
        if let fault { return FaultPlan.result(.delete, fault) }
        return system.pointee.xDelete(system, path, sync)
    }

    /// The system's own file, which lies behind ours.
    static func real(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + headSize).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// Whose file it is, and its path.
    static func context(_ file: UnsafeMutablePointer<sqlite3_file>) -> (owner: FaultVFS, path: String) {
        let own = UnsafeMutableRawPointer(file).assumingMemoryBound(to: File.self)
        guard let owner = own.pointee.owner, let path = own.pointee.path else { fatalError("not a file of ours") }
        return (Unmanaged<FaultVFS>.fromOpaque(owner).takeUnretainedValue(), path.takeUnretainedValue().text)
    }

    static func forget(_ file: UnsafeMutablePointer<sqlite3_file>) {
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: File.self).pointee.path?.release()
    }
}
