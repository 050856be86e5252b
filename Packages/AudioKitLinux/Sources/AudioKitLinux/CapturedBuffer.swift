// SPDX-License-Identifier: MIT

/// A piece of captured sound with its place in the stream and in time.
public struct CapturedBuffer: Sendable {
    /// The sound, in the stream's format; one period long, or as many as were asked for at once (`AudioCapture.gather`);
    /// possibly shorter before a gap and at the end.
    public let buffer: AudioBuffer
    /// The index of the first frame, counted in frames of the stream's format since `AudioCapture.start`. Frames that
    /// the device lost (in an overrun, a suspend, or while it was away) and buffers dropped for a slow consumer leave
    /// gaps.
    public let position: Int
    /// When the last frame of the buffer was at the microphone, as far as the device's own delay tells.
    public let capturedAt: ContinuousClock.Instant

    /// Makes a captured buffer, for tests and for sources of sound other than ALSA.
    public init(buffer: AudioBuffer, position: Int, capturedAt: ContinuousClock.Instant) {
        self.buffer = buffer
        self.position = position
        self.capturedAt = capturedAt
    }
}
