// SPDX-License-Identifier: MIT

/// A device that this system offers.
public struct AudioDeviceInfo: Sendable, Hashable {
    /// The kind of a device.
    public enum Kind: String, Sendable, Hashable {
        /// The system's choice.
        case systemDefault
        /// A loudspeaker or microphone of the sound server, PulseAudio or PipeWire.
        case soundServer
        /// A card, opened directly.
        case card
        /// A PCM of ALSA's configuration, such as a plugin.
        case plugin
    }

    /// An id that stays the same when other devices are added or removed, and after a restart: `default`,
    /// `hw:CARD=PCH,DEV=0`, `pulse:alsa_output.pci-0000_00_1f.3.analog-stereo`. `AudioDevices.find` takes it.
    public let id: String
    /// The name for `AudioDevice.alsa`; for a device of the sound server, its id.
    public let name: String
    /// One line for a person, such as the product's name.
    public let description: String
    /// The directions in which it can carry sound.
    public let directions: Set<AudioDirection>
    /// The kind of device.
    public let kind: Kind
    /// The ALSA configuration that `device` needs besides the name.
    let configuration: String?

    /// Makes a description of a device.
    public init(
        name: String, description: String, directions: Set<AudioDirection>, id: String? = nil, kind: Kind = .plugin
    ) {
        self.init(
            id: id ?? name, name: name, description: description, directions: directions, kind: kind,
            configuration: nil)
    }

    init(
        id: String, name: String, description: String, directions: Set<AudioDirection>, kind: Kind,
        configuration: String?
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.directions = directions
        self.kind = kind
        self.configuration = configuration
    }

    /// The device, ready to be opened.
    public var device: AudioDevice {
        configuration.map { AudioDevice.alsa(name, configuration: $0) } ?? .alsa(name)
    }
}

/// The formats that a device supports without conversion.
public struct AudioCapabilities: Sendable, Hashable {
    /// The rates in common use between its lowest and highest, in hertz, ascending; all its rates if it has no range.
    public let sampleRates: [Int]
    /// The lowest and the highest rate, in hertz.
    public let rateRange: ClosedRange<Int>
    /// The smallest and the largest number of channels.
    public let channels: ClosedRange<Int>
    /// The sample formats, by ALSA's names: "S16_LE", "S24_3LE", "FLOAT_LE" …
    public let sampleFormats: [String]

    /// Makes capabilities.
    public init(
        sampleRates: [Int], rateRange: ClosedRange<Int>, channels: ClosedRange<Int>, sampleFormats: [String]
    ) {
        self.sampleRates = sampleRates
        self.rateRange = rateRange
        self.channels = channels
        self.sampleFormats = sampleFormats
    }

    /// True if the device takes `format` as it is.
    public func includes(_ format: AudioFormat) -> Bool {
        (sampleRates.contains(format.sampleRate) || isOdd(format.sampleRate)) && channels.contains(format.channels)
    }

    /// True for a rate within the range that `commonRates` does not list.
    private func isOdd(_ rate: Int) -> Bool { !Self.commonRates.contains(rate) && rateRange.contains(rate) }

    static let commonRates = [
        8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ]
}
