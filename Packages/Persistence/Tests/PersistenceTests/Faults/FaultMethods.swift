// SPDX-License-Identifier: MIT

import CSQLite
import Concurrency

@testable import Persistence

/// The methods of a ``FaultVFS``'s files: the system's, unless the plan says that the disk fails.
enum FaultMethods {
    private typealias File = UnsafeMutablePointer<sqlite3_file>

    // SAFETY: made once and only read afterwards.
    nonisolated(unsafe) static let table: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: make())
        return UnsafePointer(table)
    }()

    private static func make() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        // Version 3 would map the file into memory, past these methods.
        methods.iVersion = 2
        methods.xClose = { file in
            guard let file else { return SQLITE_MISUSE }
            FaultVFS.forget(file)
            return FaultMethods.system(file).xClose(FaultVFS.real(file))
        }
        methods.xRead = { file, buffer, count, offset in
            guard let file else { return SQLITE_MISUSE }
            if let failure = FaultMethods.failure(of: .read, file) { return failure }
            return FaultMethods.system(file).xRead(FaultVFS.real(file), buffer, count, offset)
        }
        methods.xWrite = { file, buffer, count, offset in FaultMethods.write(file, buffer, count, offset) }
        methods.xTruncate = { file, size in
            guard let file else { return SQLITE_MISUSE }
            if let failure = FaultMethods.failure(of: .truncate, file) { return failure }
            FaultMethods.note(.truncate(size: Int(size)), file)
            return FaultMethods.system(file).xTruncate(FaultVFS.real(file), size)
        }
        methods.xSync = { file, flags in
            guard let file else { return SQLITE_MISUSE }
            if let failure = FaultMethods.failure(of: .sync, file) { return failure }
            let (owner, path) = FaultVFS.context(file)
            owner.plan.withLock { $0.duringSync }?(path)
            owner.plan.withLock { $0.images[path]?.sync() }
            // The test's disk is the image; a real sync would only cost time.
            return SQLITE_OK
        }
        methods.xFileSize = { file, size in
            guard let file else { return SQLITE_MISUSE }
            return FaultMethods.system(file).xFileSize(FaultVFS.real(file), size)
        }
        addLocks(to: &methods)
        return methods
    }

    private static func addLocks(to methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in
            file.map { FaultMethods.system($0).xLock(FaultVFS.real($0), level) } ?? SQLITE_MISUSE
        }
        methods.xUnlock = { file, level in
            file.map { FaultMethods.system($0).xUnlock(FaultVFS.real($0), level) } ?? SQLITE_MISUSE
        }
        methods.xCheckReservedLock = { file, out in
            file.map { FaultMethods.system($0).xCheckReservedLock(FaultVFS.real($0), out) } ?? SQLITE_MISUSE
        }
        methods.xFileControl = { file, operation, argument in
            file.map { FaultMethods.system($0).xFileControl(FaultVFS.real($0), operation, argument) } ?? SQLITE_MISUSE
        }
        methods.xSectorSize = { file in file.map { FaultMethods.system($0).xSectorSize(FaultVFS.real($0)) } ?? 512 }
        // No promise about what a power cut does to a write.
        methods.xDeviceCharacteristics = { _ in 0 }
        methods.xShmMap = { file, region, size, extend, out in
            guard let file else { return SQLITE_MISUSE }
            if let failure = FaultMethods.failure(of: .shared, file) { return failure }
            return FaultMethods.system(file).xShmMap(FaultVFS.real(file), region, size, extend, out)
        }
        methods.xShmLock = { file, offset, count, flags in
            file.map { FaultMethods.system($0).xShmLock(FaultVFS.real($0), offset, count, flags) } ?? SQLITE_MISUSE
        }
        methods.xShmBarrier = { file in if let file { FaultMethods.system(file).xShmBarrier(FaultVFS.real(file)) } }
        methods.xShmUnmap = { file, delete in
            file.map { FaultMethods.system($0).xShmUnmap(FaultVFS.real($0), delete) } ?? SQLITE_MISUSE
        }
    }

    private static func write(
        _ file: File?, _ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        guard let file, let buffer else { return SQLITE_MISUSE }
        let (owner, path) = FaultVFS.context(file)
        let fault = owner.plan.withLock { $0.meets(.write, path) }
        // All of it, half of it, or nothing.
        let written = fault == nil ? count : fault == .shortWrite ? count / 2 : 0
        var result = SQLITE_OK
        if written > 0 {
            let bytes = Array(UnsafeRawBufferPointer(start: buffer, count: Int(written)))
            FaultMethods.note(.write(offset: Int(offset), bytes: bytes), file)
            result = FaultMethods.system(file).xWrite(FaultVFS.real(file), buffer, written, offset)
        }
        return fault.map { FaultPlan.result(.write, $0) } ?? result
    }

    private static func note(_ change: FaultPlan.Image.Change, _ file: File) {
        let (owner, path) = FaultVFS.context(file)
        owner.plan.withLock { $0.images[path]?.pending.append(change) }
    }

    private static func failure(of operation: FaultPlan.Operation, _ file: File) -> Int32? {
        let (owner, path) = FaultVFS.context(file)
        return owner.plan.withLock { $0.meets(operation, path) }.map { FaultPlan.result(operation, $0) }
    }

    private static func system(_ file: File) -> sqlite3_io_methods {
        FaultVFS.real(file).pointee.pMethods.pointee
    }
}
