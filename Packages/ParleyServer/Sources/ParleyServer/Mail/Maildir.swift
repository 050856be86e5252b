// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc
import Persistence

/// Writes each message as a file into `new` of a maildir (maildir(5)): it appears there whole or not at all.
struct Maildir: MailTransport {
    private let folder: String
    private let clock: AuthClock

    /// Makes the folders, for their owner only.
    init(at folder: String, clock: AuthClock = .system) throws {
        self.folder = folder
        self.clock = clock
        for name in ["", "/tmp", "/new", "/cur"] {
            try FileManager.default.createDirectory(
                atPath: folder + name, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    func deliver(_ message: [UInt8], from sender: String, to recipient: String?) async throws {
        // The time first, so that names sort by age; the rest makes the name unique among threads and processes.
        let name = "\(clock.now().milliseconds).\(getpid())_\(UInt64.random(in: 0 ... .max)).parley"
        let temporary = "\(folder)/tmp/\(name)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MailError.cannotWrite(folder, errno) }
        let failure = Self.write(message, to: descriptor)
        close(descriptor)
        // A message without a recipient is renamed, too, but not into the folder of new mail.
        let target = recipient == nil ? "\(folder)/tmp/nobody" : "\(folder)/new/\(name)"
        guard failure == 0, rename(temporary, target) == 0 else {
            let cause = failure == 0 ? errno : failure
            unlink(temporary)
            throw MailError.cannotWrite(folder, cause)
        }
    }

    /// The system's error number; 0 if all is on the disk.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return errno }
            rest = rest.dropFirst(max(0, count))
        }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}

/// The error of a message that could not be written into a folder.
enum MailError: Error, CustomStringConvertible {
    /// The folder, and the system's error number.
    case cannotWrite(String, Int32)

    var description: String {
        switch self {
        case .cannotWrite(let folder, let cause):
            "Mail cannot be written to \(folder): \(String(cString: strerror(cause))). Check the folder and the disk."
        }
    }
}
