// SPDX-License-Identifier: MIT

/// One period of captured sound with its place in the stream and in time.
public struct CapturedBuffer: Sendable {
    /// The sound, in the stream's format; one period long, the last one of a file possibly shorter.
    public let buffer: AudioBuffer
    /// The index of the first frame, counted in frames read from the device since `AudioCapture.start`. Buffers
    /// dropped for a slow consumer leave a gap; frames that the device itself lost in an overrun are not counted.
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
