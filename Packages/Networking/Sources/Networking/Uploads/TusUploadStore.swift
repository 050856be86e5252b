// SPDX-License-Identifier: MIT

import Concurrency
public import FoundationEssentials
import Glibc

/// Keeps the records of unfinished uploads. A saved record survives `kill -9`.
public protocol TusUploadStore: Sendable {
    /// The record of a key, or `nil`. A damaged record counts as missing.
    func record(for key: String) async throws -> TusUploadRecord?
    /// Stores a record in place of an earlier one of its key.
    func save(_ record: TusUploadRecord) async throws
    /// Removes a record; it may be missing.
    func remove(_ key: String) async throws
}

/// The record with which another run of the program continues an upload.
public struct TusUploadRecord: Codable, Hashable, Sendable {
    /// The idempotency key: the SHA-256 of the endpoint's address and the source's fingerprint, in hexadecimal.
    public var key: String
    /// The upload's URL at the server.
    public var url: URL
    /// The bytes of the whole upload.
    public var length: Int

    /// A record.
    public init(key: String, url: URL, length: Int) {
        self.key = key
        self.url = url
        self.length = length
    }
}

/// Upload records as one small JSON file each, replaced as a whole: written beside, synced, renamed. Files are read and
/// written on other threads, because disks block.
public struct FileTusUploadStore: TusUploadStore {
    private let folder: String
    private let clock: ClientClock

    /// A store in a folder, which must exist.
    ///
    /// - Parameter clock: The clock of the age of unfinished files.
    public init(folder: String, clock: ClientClock = .system) {
        self.folder = folder
        self.clock = clock
    }

    /// The record of a key, or `nil`.
    public func record(for key: String) async throws -> TusUploadRecord? {
        await BlockingCall.run {
            guard let data = try? Data(contentsOf: URL(filePath: path(key))),
                let record = try? JSONDecoder().decode(TusUploadRecord.self, from: data), record.key == key
            else { return nil }
            return record
        }
    }

    /// Stores a record. It is on the disk when this returns.
    public func save(_ record: TusUploadRecord) async throws {
        let bytes = Array(try JSONEncoder().encode(record))
        try await BlockingCall.run {
            let target = path(record.key)
            let code = AtomicFile().replace(target, with: bytes, isDurable: true)
            guard code == 0 else { throw Self.failure(target, code) }
        }
    }

    /// Removes a record, and the half-written files of any record that crashes left an hour ago or longer: their
    /// uploads may be over.
    public func remove(_ key: String) async throws {
        try await BlockingCall.run {
            for leftover in leftovers() { unlink(leftover) }
            let path = path(key)
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure(path, errno) }
        }
    }

    /// Unfinished files that no process can still be writing.
    private func leftovers() -> [String] {
        let limit = clock.date() - 3_600
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { "\(folder)/\($0)" }.filter { name in
            guard name.hasSuffix(AtomicFile.unfinished),
                let attributes = try? FileManager.default.attributesOfItem(atPath: name),
                let changedAt = attributes[.modificationDate] as? Date
            else { return false }
            return changedAt < limit
        }
    }

    /// Keys are hexadecimal; anything else is made so, lest it lead out of the folder.
    private func path(_ key: String) -> String {
        let name = key.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber) ? String(character) : "_\(byte)"
        }
        return folder + "/" + name.joined() + ".json"
    }

    private static func failure(_ path: String, _ code: Int32) -> NetworkError {
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return NetworkError(
            code: .file, message: "The upload's record \(path) cannot be written: \(reason). Check folder and disk.")
    }
}
