// SPDX-License-Identifier: MIT

/// What a playback stream tells about its sound before it is heard: the far end of an echo canceller.
public enum PlaybackAnnouncement: Sendable {
    /// The device was given this piece.
    case playing(PlayedPiece)
    /// What was announced for later than this instant is not heard then: it was flushed, or the device stopped. What is
    /// played again after a stop is announced again.
    case flushed(at: ContinuousClock.Instant)
}

/// Sound that the device has and plays soon.
public struct PlayedPiece: Sendable {
    /// The sound, in the stream's format.
    public var buffer: AudioBuffer
    /// The number of the first frame, as `AudioPlayback.play` counts.
    public var position: Int
    /// When the first frame reaches the air, by the device's own account of its delay: about a period exact on plain
    /// hardware.
    public var audibleAt: ContinuousClock.Instant

    /// Makes a piece.
    public init(buffer: AudioBuffer, position: Int, audibleAt: ContinuousClock.Instant) {
        self.buffer = buffer
        self.position = position
        self.audibleAt = audibleAt
    }
}

extension VoiceProcessor {
    /// Tells the canceller what a playback stream announced. Take the announcements before each piece of the
    /// microphone: `for announcement in announcements.take() { try processor.follow(announcement) }`.
    ///
    /// Throws `formatNotSupported` when the playback stream has another rate: start it with the processor's.
    public func follow(_ announcement: PlaybackAnnouncement) throws(AudioError) {
        switch announcement {
        case .playing(let piece): try playing(piece.buffer, audibleAt: piece.audibleAt)
        case .flushed(let instant): flushed(at: instant)
        }
    }
}
