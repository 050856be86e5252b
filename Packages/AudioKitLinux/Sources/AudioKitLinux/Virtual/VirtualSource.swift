// SPDX-License-Identifier: MIT

/// What a virtual card's microphone hears.
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

    /// What the card itself plays, sample for sample, and digital silence while it plays nothing. Without end.
    public static let loopback = VirtualSource(kind: .loopback(room: [], near: nil))

    /// What the card itself plays, as a microphone in a room hears it: `response` is the room's impulse response at the
    /// card's rate, the same for every channel. What is 0 in it costs nothing. Without end.
    ///
    /// - Parameter near: what is said and heard in the room besides, by the index of the captured frame (from 0), the
    ///   same on every channel; called on the capture thread.
    public static func room(_ response: [Float], near: (@Sendable (Int) -> Float)? = nil) -> VirtualSource {
        VirtualSource(kind: .loopback(room: response, near: near))
    }
}

/// Where a virtual card's loudspeaker goes. Only frames that were heard arrive: what is flushed before its time does
/// not.
public struct VirtualSink: Sendable {
    enum Kind: Sendable {
        case discard
        case memory
        case consumer(@Sendable (AudioBuffer) -> Void)
        case file(path: String, encoding: SoundFileEncoding?)
    }

    let kind: Kind

    /// Nowhere.
    public static let discard = VirtualSink(kind: .discard)

    /// `VirtualCard.recorded`.
    public static let memory = VirtualSink(kind: .memory)

    /// A function that gets what was heard, in order. It is called on the playback thread, with the card locked: it must
    /// be quick and must not use the card.
    public static func consumer(_ hear: @escaping @Sendable (AudioBuffer) -> Void) -> VirtualSink {
        VirtualSink(kind: .consumer(hear))
    }

    /// A sound file in the card's format; the encoding is the one that its name asks for unless another is given. A file
    /// of that name is replaced when the first sound is heard, and stays as it is if none ever is.
    public static func file(_ path: String, encoding: SoundFileEncoding? = nil) -> VirtualSink {
        VirtualSink(kind: .file(path: path, encoding: encoding))
    }
}

/// What a virtual card does when its reader is late.
public enum VirtualTiming: Sendable, Hashable {
    /// The microphone's clock waits for a late reader: nothing is lost, as from a file. The loudspeaker still runs
    /// dry as hardware does.
    case patient
    /// As hardware does: an xrun, and the frames are lost; the sound goes on while nobody listens.
    case strict
}

/// A fault that a test puts into a virtual card.
public enum VirtualFault: Sendable, Hashable, CaseIterable {
    /// The running streams find themselves over- or underrun (−EPIPE), as after a program that slept too long.
    case stall
    /// The running streams are suspended (−ESTRPIPE), as by the machine going to sleep; they resume when asked.
    case suspend
    /// The card is gone (−ENODEV) until `VirtualCard.replug()`.
    case unplug
    /// The running streams stand still without an error until they are closed, as when PulseAudio suspends a sink.
    case freeze
    /// The running streams fail with an input/output error (−EIO), as when a sound server dies; they can be opened
    /// again.
    case fail
}
