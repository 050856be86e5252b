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
        try Task.checkCancellation()
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
    public func recordings(after cursor: RecordingCursor?, limit: Int) -> [Recording] {
        let places = recordings.map { (place: RecordingCursor(after: $0.recording), recording: $0.recording) }
        let rest = places.filter { entry in
            cursor.map { (entry.place.time, entry.place.id) < ($0.time, $0.id) } ?? true
        }
        return rest.sorted { ($0.place.time, $0.place.id) > ($1.place.time, $1.place.id) }.prefix(max(0, limit))
            .map(\.recording)
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
