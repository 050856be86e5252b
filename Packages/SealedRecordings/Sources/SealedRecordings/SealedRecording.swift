// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials

/// The facts about a recording in a sealed file.
public struct SealedRecording: Sendable, Hashable {
    /// The id that it was made with, which is bound to its content.
    public let id: String
    /// The path of the sealed file.
    public let path: String
    /// The encoding of the sound.
    public let encoding: SoundFileEncoding
    /// Its rate and channels.
    public let format: AudioFormat
    /// The time at which it began, to the millisecond, by the caller's clock.
    public let startedAt: Date
    /// The id of the subject, as the recorder's caller gave it; nil if none was given.
    public let subject: UUID?
    /// The number of frames, pauses left out.
    public let frameCount: Int
    /// The bytes of encoded sound, which an upload sends.
    public let byteCount: Int
    /// The SHA-256 of those bytes; nil if the recording was never completed (`SealedRecordingReader.digest()` makes
    /// it).
    public let sha256: [UInt8]?
    /// The bytes of disk that the sealed file takes.
    public let fileByteCount: Int

    /// True if it was completed. If not, its process was killed or its disk was full, and this describes the part
    /// before.
    public var isComplete: Bool { sha256 != nil }

    /// The length, pauses left out.
    public var duration: Duration { format.duration(ofFrames: frameCount) }
}
