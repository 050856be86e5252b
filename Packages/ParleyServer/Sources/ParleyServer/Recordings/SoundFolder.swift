// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Glibc

/// The recordings and the uploads of all accounts in a home without a bucket: a folder for each account, a file for each,
/// mode 0600 in folders of 0700. The file of an upload is the recording's from the first byte on; only the database
/// distinguishes the two, so that finishing an upload is one transaction.
///
/// Every call blocks: use `BlockingCall`. Names are UUIDs of the server's and of `Identifier`, never a path from a
/// client.
struct SoundFolder: Sendable {
    let path: String

    /// Opens the folder, and makes it if it is missing.
    init(_ path: String) throws {
        self.path = path
        try Self.makeFolder(path)
    }

    func folder(of account: String) -> String { "\(path)/\(account)" }

    func file(_ id: Identifier<Recording>, of account: String) -> String { "\(folder(of: account))/\(id)" }

    /// Makes an empty file, on the disk with its name when this returns. An existing one is emptied.
    func create(_ id: Identifier<Recording>, of account: String) throws {
        for attempt in 1... {
            if try Self.makeFolder(folder(of: account)) { try Self.synchronize(folder: path) }
            do {
                let file = try SoundFile(file(id, of: account), O_WRONLY | O_CREAT | O_TRUNC)
                try file.synchronize()
                return try Self.synchronize(folder: folder(of: account))
            } catch let error as DiskError where error.number == ENOENT && attempt < 100 {
                // The last other file was removed meanwhile, and the folder with it.
            }
        }
    }

    func open(_ id: Identifier<Recording>, of account: String, forWriting: Bool = false) throws -> SoundFile {
        try SoundFile(file(id, of: account), forWriting ? O_RDWR : O_RDONLY)
    }

    /// Removes a file; a missing one is no error.
    func remove(_ name: String, of account: String) throws {
        guard unlink("\(folder(of: account))/\(name)") == 0 || errno == ENOENT else {
            throw DiskError("remove a recording")
        }
    }

    /// Removes an account's folder, if it is empty.
    func removeFolder(of account: String) { rmdir(folder(of: account)) }

    /// The names of an account's files; empty if it has no folder.
    func names(of account: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder(of: account))) ?? []
    }

    /// Makes a folder.
    ///
    /// - Returns: True if it is new.
    @discardableResult private static func makeFolder(_ path: String) throws -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw DiskError("make a folder for recordings") }
        return false
    }

    private static func synchronize(folder: String) throws {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskError("open a folder of recordings") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw DiskError("synchronise a folder of recordings") }
    }
}

/// An error of the disk.
struct DiskError: Error, CustomStringConvertible {
    /// The system's error number.
    let number: Int32
    private let work: String

    /// Takes the error number of the last call.
    init(_ work: String) {
        number = errno
        self.work = work
    }

    var isFull: Bool { [ENOSPC, EDQUOT].contains(number) }
    var description: String { "could not \(work): \(String(cString: strerror(number)))" }
}
