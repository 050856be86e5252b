// SPDX-License-Identifier: MIT
public import AudioKitLinux
public import Diagnostics

/// A microphone and a loudspeaker by ALSA, and through it PulseAudio and PipeWire.
///
/// The microphone's sound has passed an echo canceller, a noise suppressor and a gain control, as
/// ``VoiceDeviceOptions`` says. A device that vanishes is opened again, or the system's default replaces it;
/// ``VoiceDeviceEvent/status(_:route:)`` reports that.
public struct ALSAVoiceDevice: VoiceDevice {
    /// The microphone.
    public let capture: AudioDevice
    /// The loudspeaker.
    public let playback: AudioDevice
    /// The processing of the sound.
    public let options: VoiceDeviceOptions
    private let logger: Logger

    /// Selects the devices; opens nothing.
    ///
    /// - Parameters:
    ///   - capture: the microphone; the system's default unless given.
    ///   - playback: the loudspeaker; the system's default unless given.
    public init(
        capture: AudioDevice = .default, playback: AudioDevice = .default,
        options: VoiceDeviceOptions = VoiceDeviceOptions(), logger: Logger = .disabled
    ) {
        self.capture = capture
        self.playback = playback
        self.options = options
        self.logger = logger
    }

    /// Opens both at the same time.
    ///
    /// - Throws: `EchoError.audioError(_:)` with what to do: no such device, busy, forbidden; `CancellationError`.
    public func open() async throws -> any VoiceStream {
        try await DeviceVoiceStream.open(
            capture: capture, playback: playback, options: options, input: nil, logger: logger)
    }
}
