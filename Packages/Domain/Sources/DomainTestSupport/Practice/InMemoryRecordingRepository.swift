// SPDX-License-Identifier: MIT

public import Domain

/// A ``RecordingRepository`` that forgets everything when it is released.
public actor InMemoryRecordingRepository: RecordingRepository {
    private var recordings: [(recording: Recording, content: InMemoryContent)] = []
    private let hash: @Sendable ([UInt8]) throws -> String

    /// Makes an empty repository.
    ///
    /// - Parameter hash: SHA-256 in hexadecimal.
    public init(hash: @escaping @Sendable ([UInt8]) throws -> String) { self.hash = hash }

    /// See ``RecordingRepository``.
    public func store(_ recording: Recording, content: any RecordingContent) async throws {
        var bytes: [UInt8] = []
        while bytes.count < content.byteCount {
            let piece = try await content.bytes(at: bytes.count, maximum: 1 << 20)
            if piece.isEmpty { break }
            bytes += piece
        }
        guard bytes.count == recording.byteCount, try hash(bytes) == recording.contentHash else {
            throw DomainError.invalidInput("The sound is not that of the recording.")
        }
        if self.recording(recording.id) == nil { recordings.append((recording, InMemoryContent(bytes))) }
    }

    /// See ``RecordingRepository``.
    public func recording(_ id: Identifier<Recording>) -> Recording? {
        recordings.first { $0.recording.id == id }?.recording
    }

    /// See ``RecordingRepository``.
    public func recordings(after id: Identifier<Recording>?, limit: Int) -> [Recording] {
        let sorted = recordings.map(\.recording).sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
        let start = id.flatMap { id in sorted.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
        return Array(sorted.dropFirst(start).prefix(max(0, limit)))
    }

    /// See ``RecordingRepository``.
    public func content(of id: Identifier<Recording>) throws -> any RecordingContent {
        guard let entry = recordings.first(where: { $0.recording.id == id }) else {
            throw DomainError.notFound("recording \(id)")
        }
        return entry.content
    }

    /// See ``RecordingRepository``.
    public func delete(_ id: Identifier<Recording>) -> Bool {
        let count = recordings.count
        recordings.removeAll { $0.recording.id == id }
        return recordings.count < count
    }
}
