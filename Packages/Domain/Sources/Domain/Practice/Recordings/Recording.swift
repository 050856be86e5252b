// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Somebody's voice, saying a cue.
public struct Recording: Identifiable, Hashable, Sendable {
    /// How the sound is encoded.
    public enum Format: String, Sendable, CaseIterable {
        /// Free Lossless Audio Codec (RFC 9639).
        case flac
        /// Opus in Ogg (RFC 7845).
        case opus
    }

    /// The recording's name, the same on the server.
    public let id: Identifier<Recording>
    /// What was to be said.
    public let cue: Identifier<Cue>
    /// When recording began (millisecond resolution once stored).
    public let createdAt: Date
    /// How long it is, in seconds.
    public let duration: Double
    /// The encoding.
    public let format: Format
    /// Samples a second.
    public let sampleRate: Int
    /// How long the encoded sound is.
    public let byteCount: Int
    /// The SHA-256 of the encoded sound, 64 hexadecimal digits in lower case: the same sound is the same everywhere.
    public let contentHash: String

    /// A recording.
    public init(
        id: Identifier<Recording> = .init(), cue: Identifier<Cue>, createdAt: Date, duration: Double, format: Format,
        sampleRate: Int, byteCount: Int, contentHash: String
    ) {
        self.id = id
        self.cue = cue
        self.createdAt = createdAt
        self.duration = duration
        self.format = format
        self.sampleRate = sampleRate
        self.byteCount = byteCount
        self.contentHash = contentHash
    }
}

/// The encoded sound of a recording, wherever it is.
///
/// Throws ``DomainError`` or `CancellationError`.
public protocol RecordingContent: Sendable {
    /// How many bytes there are.
    var byteCount: Int { get }

    /// Bytes from an offset on, as many as there are but `maximum` at the most; none at the end.
    func bytes(at offset: Int, maximum: Int) async throws -> [UInt8]
}
