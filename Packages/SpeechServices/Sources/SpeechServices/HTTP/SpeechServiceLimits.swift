// SPDX-License-Identifier: MIT

/// The longest waits and the most bytes of one request to a service.
public struct SpeechServiceLimits: Sendable, Hashable {
    /// The time until an answer starts, connecting and uploading included. 30 s.
    public var answer = Duration.seconds(30)
    /// The time between two pieces of an answer. 10 s.
    public var stall = Duration.seconds(10)
    /// The most bytes of sound that one text may become. 32 MiB, 11 minutes at 24 kHz.
    public var maximumSoundBytes = 32 << 20
    /// The most bytes of sound of one utterance that is sent. 25 MB, OpenAI's own limit: 13 minutes at 16 kHz.
    public var maximumUploadBytes = 25_000_000
    /// The most bytes of an answer of words or of a list. 4 MiB.
    public var maximumTextBytes = 4 << 20
    /// The most bytes of words that are streamed: each of some thousand pieces repeats the names of its fields.
    var maximumStreamBytes: Int { min(maximumTextBytes, 512 << 10) }

    /// The defaults.
    public init() {}
}
