// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
public import Domain
import DurableFiles
import FoundationEssentials
public import SealedRecordings
public import Security

/// The folder of the recordings, one sealed file each, named by the recording's id.
public struct SealedRecordingFolder: Sendable {
    /// The folder's path.
    public let path: String
    let key: SymmetricKey

    /// Makes the folder, for its owner alone, if it is missing.
    ///
    /// - Parameter key: The key that seals the files; the caller keeps it in a `SecretStore`.
    /// - Throws: `DomainError.file`.
    public init(path: String, key: SymmetricKey) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DomainError.file("The folder \(path) cannot be made. Look at the permissions of the folder above it.")
        }
        (self.path, self.key) = (path, key)
    }

    /// The path of a recording's file, which need not exist.
    public func path(of id: Identifier<Recording>) -> String { Self.path(of: id, in: path) }

    static func path(of id: Identifier<Recording>, in folder: String) -> String { "\(folder)/\(id).sealed" }

    /// Opens a recording's file.
    ///
    /// - Throws: `DomainError.notFound`, `.storage` if it cannot be read.
    public func open(_ id: Identifier<Recording>) async throws -> SealedRecordingReader {
        try await domainErrors {
            try await SealedRecordingReader.open(path(of: id), id: id.description, key: key)
        }
    }

    /// Deletes a recording's file; a missing one is no error.
    public func remove(_ id: Identifier<Recording>) async throws { try await Self.remove(id, in: path) }

    static func remove(_ id: Identifier<Recording>, in folder: String) async throws {
        let path = path(of: id, in: folder)
        try await domainErrors {
            try await BlockingCall.run { () throws(FileError) in try DurableFile.remove(path) }
        }
    }

    /// The recordings that have a file here, in no order.
    public func recordings() async throws -> [Identifier<Recording>] { await Self.recordings(in: path) }

    /// The recordings that have a file in a folder, without its key; empty if there is no folder.
    static func recordings(in path: String) async -> [Identifier<Recording>] {
        let names = await BlockingCall.run { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        return names.compactMap { name in name.hasSuffix(".sealed") ? Identifier(String(name.dropLast(7))) : nil }
    }
}
