// SPDX-License-Identifier: MIT

/// A playback stream's announcement of its sound before it is heard: the far end of an echo canceller.
public enum PlaybackAnnouncement: Sendable {
    /// The device was given this sound.
    case playing(PlayedPiece)
    /// Sound announced for later than this instant is not heard then: it was flushed, or the device stopped. Sound that
    /// is played again after a stop is announced again.
    case flushed(at: ContinuousClock.Instant)
}

/// Sound in the device's buffer that it plays soon.
public struct PlayedPiece: Sendable {
    /// The sound, in the stream's format.
    public var buffer: AudioBuffer
    /// The number of the first frame, as `AudioPlayback.play` counts.
    public var position: Int
    /// The instant when the first frame reaches the air, by the device's report of its delay: exact to about a period
    /// on plain hardware.
    public var audibleAt: ContinuousClock.Instant

    /// Makes a played piece.
    public init(buffer: AudioBuffer, position: Int, audibleAt: ContinuousClock.Instant) {
        self.buffer = buffer
        self.position = position
        self.audibleAt = audibleAt
    }
}

extension VoiceProcessor {
    /// Passes a playback stream's announcement to the canceller. Take the announcements before each buffer of the
    /// microphone: `for announcement in announcements.take() { try processor.follow(announcement) }`.
    ///
    /// Throws `formatNotSupported` if the playback stream has another rate: start it with the processor's.
    public func follow(_ announcement: PlaybackAnnouncement) throws(AudioError) {
        switch announcement {
        case .playing(let piece): try playing(piece.buffer, audibleAt: piece.audibleAt)
        case .flushed(let instant): flushed(at: instant)
        }
    }
}
