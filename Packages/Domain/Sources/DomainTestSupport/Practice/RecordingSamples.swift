// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// Bytes in memory as the sound of a recording.
public struct InMemoryContent: RecordingContent {
    /// The bytes.
    public let bytes: [UInt8]

    /// The sound of these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// See `RecordingContent`.
    public var byteCount: Int { bytes.count }

    /// See `RecordingContent`.
    public func bytes(at offset: Int, maximum: Int) -> [UInt8] {
        Array(bytes.dropFirst(max(0, offset)).prefix(max(0, maximum)))
    }
}

/// Recordings for tests, whose sound is real FLAC: servers may check it.
public struct RecordingSample: Sendable {
    /// The recording.
    public let recording: Recording
    /// Its sound.
    public let content: InMemoryContent

    /// A recording of given bytes.
    ///
    /// - Parameter hash: The SHA-256 of the bytes.
    public init(bytes: [UInt8], hash: String, at seconds: Double, duration: Double, sampleRate: Int) {
        recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: seconds), duration: duration, format: .flac,
            sampleRate: sampleRate, byteCount: bytes.count, contentHash: hash)
        content = InMemoryContent(bytes)
    }
}
