// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// The reason why an undamaged database cannot be written.
struct StorageObstacle: Equatable {
    /// The least room for a database with its log, in bytes.
    private static let leastRoom = 256 << 10

    let reason: Sentence
    let advice: Sentence

    /// Examines the file, its folder, and the file system; nil if all of it can be written, or made.
    init?(path: String) {
        let folder = Self.nearestFolder(above: path)
        var status = statvfs()
        if let errno = Self.refusal(path) {
            reason = "\(path) cannot be written: \(String(cString: strerror(errno)))" as Sentence
            advice = "Give it to yourself (ls -l shows the owner), or set PARLEY_HOME to another folder." as Sentence
        } else if let errno = Self.refusal(folder) {
            reason = "\(folder) cannot be written: \(String(cString: strerror(errno)))" as Sentence
            advice = "Give it to yourself (ls -ld shows the owner), or set PARLEY_HOME to another folder." as Sentence
        } else if statvfs(folder, &status) == 0, Self.room(status) < Self.leastRoom {
            reason = "no room is left to write \(path)" as Sentence
            advice = "Delete something; df -h \(folder) shows the file system." as Sentence
        } else if let limit = Self.sizeLimit, limit < Self.leastRoom {
            reason = "this program may write only \(limit) bytes into a file" as Sentence
            advice = "Run ulimit -f unlimited in the shell that starts parley." as Sentence
        } else {
            return nil
        }
    }

    /// The bytes that an ordinary user may still write; file systems without a limit claim more than a number holds.
    static func room(_ status: statvfs) -> Int {
        let (bytes, isMore) = status.f_bavail.multipliedReportingOverflow(by: status.f_frsize)
        return isMore ? .max : Int(clamping: bytes)
    }

    /// The error number of a write to an existing path; nil if it can be written or does not exist.
    private static func refusal(_ path: String) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == ENOENT ? nil : errno }
        if faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 { return errno }
        return nil
    }

    /// The folder of the file, or the nearest existing one above it.
    private static func nearestFolder(above path: String) -> String {
        var folder = path
        while let slash = folder.lastIndex(of: "/") {
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
            if folder == "/" || access(folder, F_OK) == 0 || errno != ENOENT { break }
        }
        return folder
    }

    private static var sizeLimit: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < .max / 2 else {
            return nil
        }
        return Int(limit.rlim_cur)
    }
}
