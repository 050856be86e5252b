// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The sound of a person saying a cue.
public struct Recording: Identifiable, Hashable, Sendable {
    /// The encoding of the sound.
    public enum Format: String, Sendable, CaseIterable {
        /// Free Lossless Audio Codec (RFC 9639).
        case flac
        /// Opus in Ogg (RFC 7845).
        case opus
    }

    /// The recording's id, the same on the server.
    public let id: Identifier<Recording>
    /// The cue that was read.
    public let cue: Identifier<Cue>
    /// The start of the recording (millisecond resolution once stored).
    public let createdAt: Date
    /// The length, in seconds.
    public let duration: Double
    /// The encoding.
    public let format: Format
    /// Samples a second.
    public let sampleRate: Int
    /// The length of the encoded sound, in bytes.
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
    /// The number of bytes.
    var byteCount: Int { get }

    /// Returns bytes from an offset on, at most `maximum`; empty only at the end.
    func bytes(at offset: Int, maximum: Int) async throws -> [UInt8]
}
