// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// The devices that ALSA offers.
public enum AudioDevices {
    /// All PCMs that ALSA names, in its own order, `default` first when there is one. Being listed does not mean that
    /// it can be opened: without a sound card, plugins such as `null` are still listed.
    ///
    /// Reads configuration files and asks the kernel: a few milliseconds, blocking. Throws `io` when ALSA's
    /// configuration cannot be read.
    public static func list() throws(AudioError) -> [AudioDeviceInfo] {
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

    private static func value(of hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let value = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(value) }
        return String(cString: value)
    }
}
