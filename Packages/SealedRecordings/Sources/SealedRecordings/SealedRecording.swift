// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials

/// What is known about a recording in a sealed file.
public struct SealedRecording: Sendable, Hashable {
    /// The identifier that it was made with, which is bound to its content.
    public let id: String
    /// Where the sealed file is.
    public let path: String
    /// How the sound is encoded.
    public let encoding: SoundFileEncoding
    /// Its rate and channels.
    public let format: AudioFormat
    /// When it began, to the millisecond, by the caller's clock.
    public let startedAt: Date
    /// What it is about, as whoever began it said; nil when nothing was said.
    public let subject: UUID?
    /// How many frames there are, pauses left out.
    public let frameCount: Int
    /// How many bytes the encoded sound has: what an upload sends.
    public let byteCount: Int
    /// The SHA-256 of those bytes; nil when the recording was never completed (`SealedRecordingReader.digest()` makes it).
    public let sha256: [UInt8]?
    /// How many bytes of disk the sealed file has.
    public let fileByteCount: Int

    /// True if it was completed. If not, its process was killed or its disk was full, and what it has by then is here.
    public var isComplete: Bool { sha256 != nil }

    /// How long it is, pauses left out.
    public var duration: Duration { format.duration(ofFrames: frameCount) }
}
