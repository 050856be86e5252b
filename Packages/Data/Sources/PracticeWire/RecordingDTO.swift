// SPDX-License-Identifier: MIT

public import Domain

/// A recording on the wire, without its sound.
public struct RecordingDTO: Codable, Hashable, Sendable {
    /// The recording's id, a UUID.
    public var id: String
    /// The cue's id, a UUID.
    public var cue: String
    /// The time at which recording began, RFC 3339.
    public var createdAt: String
    /// The length in seconds.
    public var duration: Double
    /// `flac` or `opus`. A recording with an unknown format is skipped: it could not be played.
    public var format: String
    /// The sample rate in samples a second.
    public var sampleRate: Int
    /// The length of the encoded sound in bytes.
    public var byteCount: Int
    /// The SHA-256 of the encoded sound, in hexadecimal.
    public var sha256: String

    enum CodingKeys: String, CodingKey {
        case id, cue, duration, format, sha256
        case createdAt = "created_at"
        case sampleRate = "sample_rate"
        case byteCount = "byte_count"
    }

    /// Makes the wire form of a recording.
    public init(_ recording: Recording) {
        id = recording.id.description
        cue = recording.cue.description
        createdAt = WireTime.text(of: recording.createdAt)
        duration = recording.duration.ifFinite ?? 0
        format = recording.format.rawValue
        sampleRate = recording.sampleRate
        byteCount = recording.byteCount
        sha256 = recording.contentHash
    }

    /// The recording.
    ///
    /// - Throws: ``MappingFailure`` that names the invalid member.
    public func recording() throws(MappingFailure) -> Recording {
        guard let format = Recording.Format(rawValue: format) else {
            throw MappingFailure("format", "is neither flac nor opus")
        }
        return Recording(
            id: try WireValue.identifier(id, "id"), cue: try WireValue.identifier(cue, "cue"),
            createdAt: try WireValue.time(createdAt, "created_at"),
            duration: try WireValue.number(duration, "duration", in: 0...86_400), format: format,
            sampleRate: try WireValue.whole(sampleRate, "sample_rate", in: 8_000...192_000),
            byteCount: try WireValue.whole(byteCount, "byte_count", in: 0...(1 << 40)),
            contentHash: try WireValue.hash(sha256, "sha256"))
    }
}

/// A page of recordings on the wire.
public struct RecordingPageDTO: Codable, Hashable, Sendable {
    /// The recordings, the newest first; unreadable ones are skipped.
    public var items: PageItems<RecordingDTO>
    /// The cursor of the next page; null after the last one.
    public var next: String?

    enum CodingKeys: String, CodingKey { case items, next }

    /// Makes the wire form of a page.
    ///
    /// - Parameter hasMore: True if there are recordings after these.
    public init(_ recordings: [Recording], hasMore: Bool) {
        items = PageItems(recordings.map(RecordingDTO.init))
        next = hasMore ? recordings.last.map { RecordingCursor(after: $0).description } : nil
    }

    /// Writes null for a missing next page.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(items, forKey: .items)
        try values.encode(next, forKey: .next)
    }

    /// The recordings, and those that were left out.
    public func recordings() -> (recordings: [Recording], skipped: [SkippedItem]) {
        let (recordings, skipped) = items.mapped { (item) throws(MappingFailure) in try item.recording() }
        return (recordings, skipped)
    }
}
