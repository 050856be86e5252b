// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// Recordings on this device: a row in a database, and the sound in a sealed file.
public struct SealedRecordingRepository: RecordingRepository {
    private let index: SQLiteRecordingIndex
    private let folder: @Sendable () async throws -> SealedRecordingFolder

    /// A repository.
    ///
    /// - Parameters:
    ///   - index: The rows.
    ///   - folder: The files; asked for when the sound of one is needed first.
    public init(
        _ index: SQLiteRecordingIndex, folder: @escaping @Sendable () async throws -> SealedRecordingFolder
    ) {
        self.index = index
        self.folder = folder
    }

    /// See `RecordingRepository`.
    public func store(_ recording: Recording, content: any RecordingContent) async throws {
        guard try await index.recording(recording.id) == nil else { return }
        let folder = try await folder()
        let trailer = try await domainErrors { try await write(recording, content, folder) }
        // Somebody else has put it there meanwhile.
        guard let trailer else { return }
        let hash = trailer.sha256.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard trailer.byteCount == recording.byteCount, hash == recording.contentHash else {
            try await folder.remove(recording.id)
            throw DomainError.invalidInput("The sound is not that of the recording \(recording.id).")
        }
        _ = try await index.insert(recording)
    }

    private func write(
        _ recording: Recording, _ content: any RecordingContent, _ folder: SealedRecordingFolder
    ) async throws -> RecordingTrailer? {
        let path = folder.path(of: recording.id)
        do {
            return try await SealedCopy.write(recording, content, at: path, key: folder.key)
        } catch let error as RecordingError where error.code == .alreadyExists {
            guard try await index.recording(recording.id) == nil else { return nil }
            // A crash left the file and no row: it was never a recording.
            try await folder.remove(recording.id)
            return try await SealedCopy.write(recording, content, at: path, key: folder.key)
        }
    }

    /// See `RecordingRepository`.
    public func recording(_ id: Identifier<Recording>) async throws -> Recording? { try await index.recording(id) }

    /// See `RecordingRepository`.
    public func recordings(after id: Identifier<Recording>?, limit: Int) async throws -> [Recording] {
        try await index.recordings(after: id, limit: limit)
    }

    /// See `RecordingRepository`.
    public func content(of id: Identifier<Recording>) async throws -> any RecordingContent {
        guard try await index.recording(id) != nil else { throw DomainError.notFound("recording \(id)") }
        let reader = try await folder().open(id)
        return SealedContent(reader: reader)
    }

    /// See `RecordingRepository`. The row goes first: a file without one is found and removed later.
    public func delete(_ id: Identifier<Recording>) async throws -> Bool {
        guard try await index.delete(id) else { return false }
        try await folder().remove(id)
        return true
    }

    private struct SealedContent: RecordingContent {
        let reader: SealedRecordingReader

        var byteCount: Int { reader.recording.byteCount }

        func bytes(at offset: Int, maximum: Int) async throws -> [UInt8] {
            try await domainErrors { Array(try await reader.encodedBytes(at: offset, maximum: maximum)) }
        }
    }
}
