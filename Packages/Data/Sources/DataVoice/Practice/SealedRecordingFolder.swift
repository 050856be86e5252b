// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
public import Domain
import DurableFiles
import FoundationEssentials
public import SealedRecordings
public import Security

/// The folder in which recordings are, one sealed file each, named after the recording.
public struct SealedRecordingFolder: Sendable {
    /// The folder.
    public let path: String
    let key: SymmetricKey

    /// A folder; it is made, for its owner alone, if it is not there.
    ///
    /// - Parameter key: What the files are sealed with; the caller keeps it in a `SecretStore`.
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

    /// Where a recording's file is, or would be.
    public func path(of id: Identifier<Recording>) -> String { "\(path)/\(id).sealed" }

    /// Opens a recording's file.
    ///
    /// - Throws: `DomainError.notFound`, `.storage` when it cannot be read.
    public func open(_ id: Identifier<Recording>) async throws -> SealedRecordingReader {
        try await domainErrors {
            try await SealedRecordingReader.open(path(of: id), id: id.description, key: key)
        }
    }

    /// Removes a recording's file; it is no error if there is none.
    public func remove(_ id: Identifier<Recording>) async throws {
        try await domainErrors {
            try await BlockingCall.run { () throws(FileError) in try DurableFile.remove(path(of: id)) }
        }
    }

    /// The recordings that have a file here, in no order.
    public func recordings() async throws -> [Identifier<Recording>] { await Self.recordings(in: path) }

    /// The recordings that have a file in a folder, which needs no key; none where there is no folder.
    static func recordings(in path: String) async -> [Identifier<Recording>] {
        let names = await BlockingCall.run { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        return names.compactMap { name in name.hasSuffix(".sealed") ? Identifier(String(name.dropLast(7))) : nil }
    }
}
