// SPDX-License-Identifier: MIT

/// The source or destination of a stream's sound. Naming a device opens nothing.
public struct AudioDevice: Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case alsa(name: String, configuration: String?)
        case virtual(VirtualCard)
    }

    let kind: Kind

    /// ALSA's "default": the system's choice, through PulseAudio or PipeWire where these are installed.
    public static let `default` = AudioDevice.alsa("default")

    /// An ALSA PCM by name, such as "default", "plughw:1,0" or "pulse"; `AudioDevices.list()` gives the names.
    public static func alsa(_ name: String) -> AudioDevice {
        AudioDevice(kind: .alsa(name: name, configuration: nil))
    }

    /// An ALSA PCM that `configuration` defines, in the language of `asound.conf`. The text replaces the system's
    /// configuration for this device, so nothing else is visible to it.
    public static func alsa(_ name: String, configuration: String) -> AudioDevice {
        AudioDevice(kind: .alsa(name: name, configuration: configuration))
    }

    /// A sound card inside this process: files, memory or a loop from playback to capture.
    public static func virtual(_ card: VirtualCard) -> AudioDevice {
        AudioDevice(kind: .virtual(card))
    }

    /// The ALSA name, or "virtual".
    public var name: String {
        switch kind {
        case .alsa(let name, _): name
        case .virtual: "virtual"
        }
    }

    /// The name.
    public var description: String { name }

    /// Seconds of sound for each second of real time.
    var speed: Double {
        switch kind {
        case .alsa: 1
        case .virtual(let card): card.speed
        }
    }
}

/// The direction of the sound, seen from the program.
public enum AudioDirection: String, Sendable, Hashable, CaseIterable {
    /// From a microphone into the program.
    case capture
    /// From the program to a loudspeaker.
    case playback
}
