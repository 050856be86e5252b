// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// The devices that this system offers.
public enum AudioDevices {
    /// The devices that a person can choose, one entry for each: the system's default first, then the loudspeakers and
    /// microphones of the sound server if there is one, then the cards. Plugins are left out; see `plugins()`.
    ///
    /// A listed device may still fail to open: `AudioDoctor` reports it. Reads configuration files, asks the kernel,
    /// and asks the sound server by `pactl` if that is installed: some milliseconds, blocking. Throws `io` when ALSA's
    /// configuration cannot be read.
    public static func list() throws(AudioError) -> [AudioDeviceInfo] {
        merged(
            cards: AudioCards.list(), served: SoundServer.devices(), hasServer: SoundServer.find() != nil,
            plugins: try plugins())
    }

    /// The list of these cards and of a sound server's devices.
    static func merged(
        cards: [AudioDeviceInfo], served: [AudioDeviceInfo], hasServer: Bool, plugins: [AudioDeviceInfo]
    ) -> [AudioDeviceInfo] {
        var devices: [AudioDeviceInfo] = []
        // Without a card and a server, "default" has no device.
        if !cards.isEmpty || hasServer {
            let fallback = served.isEmpty ? cards : served
            let directions = fallback.reduce(into: Set<AudioDirection>()) { $0.formUnion($1.directions) }
            let text = plugins.first { $0.name == "default" }?.description ?? "Default"
            devices.append(
                AudioDeviceInfo(
                    name: "default", description: "System default: \(text)",
                    directions: directions.isEmpty ? [.capture, .playback] : directions, kind: .systemDefault))
        }
        return devices + served + cards
    }

    /// The sound server's name for its default microphone, which a person may change at any time; nil without a server
    /// or without `pactl`. Some milliseconds, blocking.
    public static func defaultMicrophone() -> String? { SoundServer.defaultMicrophone() }

    /// The device of `list()` or `plugins()` with that id or name; nil if it is missing. Throws as these do.
    public static func find(_ id: String) throws(AudioError) -> AudioDeviceInfo? {
        if let device = try list().first(where: { $0.id == id || $0.name == id }) { return device }
        return try plugins().first { $0.name == id }
    }

    /// All PCMs that ALSA names, plugins such as `null` and `surround51` among them, in its own order, `default` first
    /// if there is one. For readers who know ALSA.
    ///
    /// Throws `io` when ALSA's configuration cannot be read.
    public static func plugins() throws(AudioError) -> [AudioDeviceInfo] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        let (code, text) = ALSAMessages.gather { snd_device_name_hint(-1, "pcm", &hints) }
        guard code >= 0, let hints else {
            throw AudioError(
                .io, "ALSA's configuration cannot be read. Install or repair the package libasound2-data.",
                underlying: text ?? String(cString: snd_strerror(code)))
        }
        defer { snd_device_name_free_hint(hints) }
        var devices: [AudioDeviceInfo] = []
        var next = hints
        while let hint = next.pointee {
            next += 1
            guard let name = value(of: hint, "NAME") else { continue }
            let description = value(of: hint, "DESC") ?? name
            let direction = value(of: hint, "IOID")
            devices.append(
                AudioDeviceInfo(
                    name: name, description: description.split(separator: "\n").joined(separator: ", "),
                    directions: direction == "Input"
                        ? [.capture] : direction == "Output" ? [.playback] : [.capture, .playback]))
        }
        let first = devices.filter { $0.name == "default" }
        return first + devices.filter { $0.name != "default" }
    }

    /// The formats that a device supports by itself, in one direction. Opens it for a moment without starting it: a
    /// device in use is not disturbed, and throws `deviceBusy`. Throws also `deviceNotFound`, `permission`,
    /// `unplugged`, and `formatNotSupported` for a virtual card without that direction.
    public static func capabilities(
        of device: AudioDevice, _ direction: AudioDirection
    ) throws(AudioError) -> AudioCapabilities {
        if case .virtual(let card) = device.kind {
            return AudioCapabilities(
                sampleRates: [card.format.sampleRate], rateRange: card.format.sampleRate...card.format.sampleRate,
                channels: card.format.channels...card.format.channels, sampleFormats: ["S16_LE"])
        }
        let opened = try PCMOpening.open(device, direction)
        defer { snd_pcm_close(opened.pcm) }
        guard let capabilities = PCMProbe.capabilities(of: opened.pcm) else {
            throw AudioError(
                .unplugged, "The sound device \"\(device.name)\" does not say what it can do. Plug it in again.")
        }
        return capabilities
    }

    private static func value(of hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
