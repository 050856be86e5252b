// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc
import Sync
import SyncWire

extension SyncError {
    static func notFound(_ name: SyncObjectName) -> SyncError {
        SyncError(code: .notFound, message: "There is no object \(name) at the place.")
    }

    static func exists(_ name: SyncObjectName) -> SyncError {
        SyncError(
            code: .exists,
            message: "There is an object \(name) with other bytes. Check that no two devices are copies of each other.")
    }

    static func tooLarge(_ name: SyncObjectName) -> SyncError {
        SyncError(
            code: .tooLarge, message: "\(name) has more than the \(SyncLimit.objectByteCount) bytes of an object.")
    }
}

extension FileError {
    /// The error of a place in a folder when it is listed or read.
    func reading(_ folder: String) -> SyncError {
        switch number {
        case EACCES, EPERM:
            SyncError(
                code: .refused, message: "This account may not read \(path). Change the mode of \(folder).",
                underlying: self)
        default: other(folder)
        }
    }

    /// The error of a place in a folder when it is changed.
    func writing(_ folder: String) -> SyncError {
        if isDiskFull {
            return SyncError(
                code: .full, message: "There is no room left for \(folder). Free some, or choose another folder.",
                underlying: self)
        }
        if isDenied {
            return SyncError(
                code: .readOnly,
                message: "\(folder) cannot be written. Change its mode, or mount it for writing.", underlying: self)
        }
        return other(folder)
    }

    private func other(_ folder: String) -> SyncError {
        switch number {
        case ELOOP, ENXIO, EISDIR:
            SyncError(
                code: .invalidAnswer, message: "\(path) is no ordinary file. Remove it.", underlying: self)
        case ENOENT, ENOTDIR:
            SyncError(
                code: .unreachable,
                message:
                    "\(path) is not there. Connect the disk or the network folder; if it is a new place, make the folder.",
                underlying: self)
        default:
            SyncError(
                code: .unreachable,
                message: "\(folder) does not answer as a folder should. Check the disk and the network.",
                underlying: self)
        }
    }
}
