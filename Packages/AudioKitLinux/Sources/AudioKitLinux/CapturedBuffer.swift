// SPDX-License-Identifier: MIT

/// A buffer of captured sound with its position in the stream and its time.
public struct CapturedBuffer: Sendable {
    /// The sound, in the stream's format; one period long, or several (`AudioCapture.gather`); possibly shorter before
    /// a gap and at the end.
    public let buffer: AudioBuffer
    /// The index of the first frame, counted in frames of the stream's format since `AudioCapture.start`. Frames that
    /// the device lost (in an overrun, in a suspend, or while it was missing) and buffers dropped for a slow consumer
    /// leave gaps.
    public let position: Int
    /// The instant when the last frame of the buffer was at the microphone, as exact as the device's delay report.
    public let capturedAt: ContinuousClock.Instant

    /// Makes a captured buffer, for tests and for sources of sound other than ALSA.
    public init(buffer: AudioBuffer, position: Int, capturedAt: ContinuousClock.Instant) {
        self.buffer = buffer
        self.position = position
        self.capturedAt = capturedAt
    }
}
