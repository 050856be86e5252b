// SPDX-License-Identifier: MIT

/// A microphone and a loudspeaker for voice conversations.
///
/// Sound is PCM of 24 kHz, one channel, 16 bits, little-endian, in whole samples; a frame is one sample. What the
/// microphone hears of the loudspeaker is taken out before it is handed over, as well as the device can.
public protocol VoiceDevice: Sendable {
    /// Opens both and begins to listen.
    ///
    /// - Throws: `EchoError.audioError(_:)`, which says what to do.
    func open() async throws -> any VoiceStream
}

/// A microphone and a loudspeaker that are open.
public protocol VoiceStream: Sendable {
    /// The device's events in order, for one consumer. Ends after ``close()``; throws when the device fails for good. The newest
    /// 2,048 wait (about 15 s): a consumer that is slower loses the oldest.
    var events: AsyncThrowingStream<VoiceDeviceEvent, any Error> { get }
    /// Plays sound after all that was given before. It does not wait: give no more than half a second ahead.
    func play(_ sound: [UInt8])
    /// Drops what was not heard, and returns when it is silent.
    ///
    /// - Returns: The frames that were heard since the device was opened. What was dropped is not among them.
    func flush() async -> Int
    /// Closes or opens the microphone: while it is closed, nothing is captured.
    func setMuted(_ muted: Bool) async
    /// Ends both. What was not heard is dropped.
    func close() async
}

/// An event of microphone or loudspeaker.
public enum VoiceDeviceEvent: Sendable, Hashable {
    /// Sound of the user's, about 20 ms of it.
    case captured([UInt8])
    /// So many frames were heard since the device was opened, by its own clock and delay; what was dropped is not among
    /// them. Told at least every 50 ms while something plays, and when all that was given was heard.
    case heard(frames: Int)
    /// The device itself hears the user begin to speak, or end: sooner than the server can tell. It may err.
    case voice(Bool)
    /// Loudness at the microphone and of what is played, from 0 (silence) to 1 (full scale). 20 a second.
    case level(input: Double, output: Double)
    /// Another device took over, or the microphone was closed or opened.
    case status(AudioStatus, route: String)
    /// The sound file that stands for the microphone is over. What is captured from now on is quiet noise, for as long as
    /// the device is open.
    case inputEnded
}
