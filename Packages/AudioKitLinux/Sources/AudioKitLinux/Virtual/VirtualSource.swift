// SPDX-License-Identifier: MIT

/// The sound at a virtual card's microphone.
public struct VirtualSource: Sendable {
    enum Kind: Sendable {
        case file(path: String, trailingSilence: Duration)
        case samples(AudioBuffer, trailingSilence: Duration)
        case silence
        case generator(@Sendable (Int) -> Float)
        case loopback(room: [Float], near: (@Sendable (Int) -> Float)?)
    }

    let kind: Kind

    /// A sound file, converted to the card's format, then `trailingSilence` with noise of ±4 units of the last bit
    /// (a recogniser and an endpointer behave badly on digital silence), then the end: the capture stream finishes.
    public static func file(_ path: String, trailingSilence: Duration = .seconds(1)) -> VirtualSource {
        VirtualSource(kind: .file(path: path, trailingSilence: trailingSilence))
    }

    /// A buffer in the card's format, then `trailingSilence` with noise as for `file`, then the end.
    public static func samples(_ buffer: AudioBuffer, trailingSilence: Duration = .zero) -> VirtualSource {
        VirtualSource(kind: .samples(buffer, trailingSilence: trailingSilence))
    }

    /// Digital silence without end.
    public static let silence = VirtualSource(kind: .silence)

    /// Samples from a function of the frame's index (from 0), the same on every channel, without end. It is called on
    /// the capture thread.
    public static func generator(_ sample: @escaping @Sendable (Int) -> Float) -> VirtualSource {
        VirtualSource(kind: .generator(sample))
    }

    /// The card's own playback, sample for sample, and digital silence while it plays nothing. Without end.
    public static let loopback = VirtualSource(kind: .loopback(room: [], near: nil))

    /// The card's own playback, as a microphone in a room hears it: `response` is the room's impulse response at the
    /// card's rate, the same for every channel. Zeros in it cost nothing. Without end.
    ///
    /// - Parameter near: The other sound in the room, by the index of the captured frame (from 0), the same on every
    ///   channel; called on the capture thread.
    public static func room(_ response: [Float], near: (@Sendable (Int) -> Float)? = nil) -> VirtualSource {
        VirtualSource(kind: .loopback(room: response, near: near))
    }
}

/// The destination of a virtual card's playback. It gets only frames that were heard: frames that are flushed before
/// their time are left out.
public struct VirtualSink: Sendable {
    enum Kind: Sendable {
        case discard
        case memory
        case consumer(@Sendable (AudioBuffer) -> Void)
        case file(path: String, encoding: SoundFileEncoding?)
    }

    let kind: Kind

    /// Discards the sound.
    public static let discard = VirtualSink(kind: .discard)

    /// Collects the sound in `VirtualCard.recorded`.
    public static let memory = VirtualSink(kind: .memory)

    /// A function that gets the heard sound, in order. It is called on the playback thread, with the card locked: it
    /// must be quick and must not use the card.
    public static func consumer(_ hear: @escaping @Sendable (AudioBuffer) -> Void) -> VirtualSink {
        VirtualSink(kind: .consumer(hear))
    }

    /// A sound file in the card's format; the encoding is that of its name's extension unless another is given. A file
    /// of that name is replaced when the first sound is heard, and stays as it is if no sound ever is.
    public static func file(_ path: String, encoding: SoundFileEncoding? = nil) -> VirtualSink {
        VirtualSink(kind: .file(path: path, encoding: encoding))
    }
}

/// The response of a virtual card to a late reader.
public enum VirtualTiming: Sendable, Hashable {
    /// The microphone's clock waits for a late reader: nothing is lost, as from a file. The loudspeaker still runs
    /// dry as hardware does.
    case patient
    /// As hardware does: an xrun, and the frames are lost; the sound continues without a reader.
    case strict
}

/// A fault that a test puts into a virtual card.
public enum VirtualFault: Sendable, Hashable, CaseIterable {
    /// The running streams get an over- or underrun (−EPIPE), as after a program that slept too long.
    case stall
    /// The running streams are suspended (−ESTRPIPE), as when the machine suspends; they resume when asked.
    case suspend
    /// The card is missing (−ENODEV) until `VirtualCard.replug()`.
    case unplug
    /// The running streams stall without an error until they are closed, as when PulseAudio suspends a sink.
    case freeze
    /// The running streams fail with an input/output error (−EIO), as when a sound server dies; they can be opened
    /// again.
    case fail
}
