// SPDX-License-Identifier: MIT

/// A microphone and a loudspeaker for voice conversations.
///
/// Sound is PCM of 24 kHz, one channel, 16 bits, little-endian, in whole samples; a frame is one sample. The device
/// removes the loudspeaker's echo from the microphone's sound as well as it can.
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
    /// Plays sound after all earlier sound. It does not wait: give no more than half a second ahead.
    func play(_ sound: [UInt8])
    /// Drops the unheard sound, and returns when the device is silent.
    ///
    /// - Returns: The frames that were heard since the device was opened, without dropped frames.
    func flush() async -> Int
    /// Closes or opens the microphone: while it is closed, nothing is captured.
    func setMuted(_ muted: Bool) async
    /// Ends both. Unheard sound is dropped.
    func close() async
}

/// An event of microphone or loudspeaker.
public enum VoiceDeviceEvent: Sendable, Hashable {
    /// The user's sound, about 20 ms of it.
    case captured([UInt8])
    /// The frames that were heard since the device was opened, by its own clock and delay, without dropped frames. Sent
    /// at least every 50 ms while something plays, and when all sound was heard.
    case heard(frames: Int)
    /// The device itself detects that the user begins to speak, or ends: sooner than the server can. It may err.
    case voice(Bool)
    /// Loudness at the microphone and of the played sound, from 0 (silence) to 1 (full scale). 20 a second.
    case level(input: Double, output: Double)
    /// Another device replaced one, or the microphone was closed or opened.
    case status(AudioStatus, route: String)
    /// The sound file used as the microphone has ended. From now on quiet noise is captured, for as long as the device
    /// is open.
    case inputEnded
}
