// SPDX-License-Identifier: MIT
public import AudioKitLinux

/// The settings of a device: processing of the sound, buffers, recovery.
public struct VoiceDeviceOptions: Sendable {
    /// Removes the loudspeaker's sound from the microphone's. Needs the reported delays of loudspeaker and microphone
    /// to be exact to 25 ms.
    public var cancelsEcho: Bool
    /// Reduces steady noise and the canceller's residue. Delays the sound by 10 ms.
    public var suppressesNoise: Bool
    /// Brings speech to an even loudness. Delays the sound by 10 ms.
    public var controlsGain: Bool
    /// While the assistant is heard, replaces the microphone's sound by quiet noise unless it is clearly louder than
    /// the assistant's echo has been, and reports speech (``VoiceDeviceEvent/voice(_:)``). In the first two seconds of
    /// the assistant's sound it detects nothing. Turn it off for a headset without echo.
    public var gatesEcho: Bool
    /// The period of the devices: 20 ms. They may choose a neighbouring value.
    public var period: Duration
    /// The buffer of the devices: 200 ms, which is what PulseAudio needs on a busy machine. A flush does not wait for it.
    public var buffer: Duration
    /// The recovery of a device that fails in mid-conversation. Opens it again, after 0.1 s, 0.2 s … 1 s, and gives up after
    /// 30 s; a device that stands still for 3 s has failed. Without a fallback of its own it takes the system's default.
    public var recovery: AudioRecovery

    /// Options. Without arguments everything is on.
    public init(
        cancelsEcho: Bool = true, suppressesNoise: Bool = true, controlsGain: Bool = true, gatesEcho: Bool = true,
        period: Duration = .milliseconds(20), buffer: Duration = .milliseconds(200),
        recovery: AudioRecovery = AudioRecovery(
            reopens: true, maximumDelay: .seconds(1), giveUpAfter: .seconds(30), patience: .seconds(3))
    ) {
        self.cancelsEcho = cancelsEcho
        self.suppressesNoise = suppressesNoise
        self.controlsGain = controlsGain
        self.gatesEcho = gatesEcho
        self.period = period
        self.buffer = buffer
        self.recovery = recovery
    }

    /// No processing of the microphone's sound.
    public static var unprocessed: VoiceDeviceOptions {
        VoiceDeviceOptions(cancelsEcho: false, suppressesNoise: false, controlsGain: false, gatesEcho: false)
    }
}
