// SPDX-License-Identifier: MIT

import CSQLite

/// The methods of a ``SealedVFS``'s files: content passes through ``SealedFile``, locks and shared memory reach the
/// file below.
enum SealedMethods {
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
            SealedVFS.release(file)
            return SealedMethods.system(file).xClose(SealedVFS.real(file))
        }
        methods.xRead = { file, target, count, position in
            guard let target, let content = file.flatMap({ SealedVFS.content($0) }) else { return SQLITE_MISUSE }
            return content.read(target, Int(count), position)
        }
        methods.xWrite = { file, source, count, position in
            guard let source, let content = file.flatMap({ SealedVFS.content($0) }) else { return SQLITE_MISUSE }
            return content.write(source, Int(count), position)
        }
        methods.xTruncate = { file, size in
            file.flatMap { SealedVFS.content($0) }?.truncate(size) ?? SQLITE_MISUSE
        }
        methods.xFileSize = { file, size in
            guard let size, let content = file.flatMap({ SealedVFS.content($0) }) else { return SQLITE_MISUSE }
            return content.size(&size.pointee)
        }
        methods.xSync = { file, flags in
            guard let file, let content = SealedVFS.content(file) else { return SQLITE_MISUSE }
            let code = content.flush()
            return code == SQLITE_OK ? SealedMethods.system(file).xSync(SealedVFS.real(file), flags) : code
        }
        methods.xFileControl = { file, operation, argument in
            guard let file else { return SQLITE_MISUSE }
            switch operation {
            // Sizes of ours mean nothing below.
            case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE: return SQLITE_OK
            case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND
            default: return SealedMethods.system(file).xFileControl(SealedVFS.real(file), operation, argument)
            }
        }
        // Of the promises about what a power cut does to a write, only the one about the bytes beside it holds for
        // blocks that begin anywhere.
        methods.xDeviceCharacteristics = { file in
            file.map {
                SealedMethods.system($0).xDeviceCharacteristics(SealedVFS.real($0)) & SQLITE_IOCAP_POWERSAFE_OVERWRITE
            }
                ?? 0
        }
        methods.xSectorSize = { file in file.map { SealedMethods.system($0).xSectorSize(SealedVFS.real($0)) } ?? 512 }
        addLocks(to: &methods)
        return methods
    }

    private static func addLocks(to methods: inout sqlite3_io_methods) {
        methods.xLock = { file, level in
            file.map { SealedMethods.system($0).xLock(SealedVFS.real($0), level) } ?? SQLITE_MISUSE
        }
        methods.xUnlock = { file, level in
            file.map { SealedMethods.system($0).xUnlock(SealedVFS.real($0), level) } ?? SQLITE_MISUSE
        }
        methods.xCheckReservedLock = { file, out in
            file.map { SealedMethods.system($0).xCheckReservedLock(SealedVFS.real($0), out) } ?? SQLITE_MISUSE
        }
        methods.xShmMap = { file, region, size, extend, out in
            file.map { SealedMethods.system($0).xShmMap(SealedVFS.real($0), region, size, extend, out) }
                ?? SQLITE_MISUSE
        }
        methods.xShmLock = { file, offset, count, flags in
            file.map { SealedMethods.system($0).xShmLock(SealedVFS.real($0), offset, count, flags) } ?? SQLITE_MISUSE
        }
        methods.xShmBarrier = { file in if let file { SealedMethods.system(file).xShmBarrier(SealedVFS.real(file)) } }
        methods.xShmUnmap = { file, delete in
            file.map { SealedMethods.system($0).xShmUnmap(SealedVFS.real($0), delete) } ?? SQLITE_MISUSE
        }
    }

    private static func system(_ file: File) -> sqlite3_io_methods { SealedVFS.real(file).pointee.pMethods.pointee }
}
