// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// The loudness of a device's loudspeaker.
public struct OutputVolume: Sendable, Hashable {
    /// The place of the loudest channel within the mixer's range, 0 ... 100.
    public var percent: Int
    /// True while the mixer's switch lets nothing through.
    public var isMuted: Bool

    /// Makes a volume.
    ///
    /// - Parameter percent: It is limited to 0 ... 100.
    public init(percent: Int, isMuted: Bool = false) {
        self.percent = min(100, max(0, percent))
        self.isMuted = isMuted
    }
}

/// Reads and sets the volume of a device's loudspeaker by ALSA's simple mixer.
///
/// It turns the control "Master", or where there is none "Speaker", "Headphone", "PCM" or the first one with a volume.
/// Each call opens the mixer, which a sound server may delay: call it off Swift's cooperative pool.
public struct OutputMixer: Sendable {
    private static let preferred = ["Master", "Speaker", "Headphone", "PCM"]

    private let device: AudioDevice

    /// Opens nothing yet.
    public init(_ device: AudioDevice = .default) { self.device = device }

    /// The volume that is set.
    ///
    /// - Throws: `deviceNotFound` for a device without a mixer, and what opening it gives.
    public func volume() throws(AudioError) -> OutputVolume {
        try withControl { control throws(AudioError) in try control.volume() }
    }

    /// Changes the volume.
    ///
    /// - Returns: The volume that the device has now; its steps may be coarser than a percent.
    /// - Throws: See ``volume()``; `formatNotSupported` to mute a device that has no switch.
    public func change(_ body: (inout OutputVolume) -> Void) throws(AudioError) -> OutputVolume {
        try withControl { control throws(AudioError) in
            let before = try control.volume()
            var after = before
            body(&after)
            if after.percent != before.percent { try control.set(percent: after.percent) }
            if after.isMuted != before.isMuted { try control.set(isMuted: after.isMuted) }
            return try control.volume()
        }
    }

    private func withControl<Value>(
        _ body: (OutputControl) throws(AudioError) -> Value
    ) throws(AudioError) -> Value {
        guard case .alsa(let name, let configuration) = device.kind else {
            throw AudioError(.deviceNotFound, "A sound file has no volume. Choose a sound device.")
        }
        let mixer = try OpenMixer(Self.controlName(of: name), configuration, device: name)
        defer { mixer.close() }
        let controls = mixer.outputs
        guard
            let control = Self.preferred.lazy.compactMap({ name in controls.first { $0.name == name } }).first
                ?? controls.first
        else {
            throw AudioError(
                .deviceNotFound, "The sound device \"\(name)\" has no volume. Turn its own knob, or choose another one."
            )
        }
        return try body(control)
    }

    /// The control device of a PCM: the card's for hardware, and the same name for a plugin such as "pulse".
    static func controlName(of pcm: String) -> String {
        let parts = pcm.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, ["hw", "plughw", "sysdefault", "front", "dmix"].contains(parts[0]) else { return pcm }
        return "hw:\(parts[1].prefix { $0 != "," })"
    }
}

/// A loaded mixer.
private struct OpenMixer {
    private let handle: OpaquePointer

    init(_ name: String, _ configuration: String?, device: String) throws(AudioError) {
        var opened: OpaquePointer?
        guard snd_mixer_open(&opened, 0) == 0, let opened else {
            throw AudioError(.io, "The mixer cannot be opened: memory is short. Close some programs.")
        }
        handle = opened
        let (code, text) = ALSAMessages.gather { () -> Int32 in
            let attached = Self.attach(name, configuration, to: opened)
            guard attached >= 0 else { return attached }
            let registered = snd_mixer_selem_register(opened, nil, nil)
            return registered < 0 ? registered : snd_mixer_load(opened)
        }
        guard code >= 0 else {
            snd_mixer_close(opened)
            throw OpenFailure.error(name: device, code: code, nodes: OpenFailure.cardNodes(), text: text)
        }
    }

    func close() { snd_mixer_close(handle) }

    /// The controls with a volume for playback.
    var outputs: [OutputControl] {
        var found: [OutputControl] = []
        var next = snd_mixer_first_elem(handle)
        while let element = next {
            next = snd_mixer_elem_next(element)
            if snd_mixer_selem_is_active(element) != 0, snd_mixer_selem_has_playback_volume(element) != 0 {
                found.append(OutputControl(element: element))
            }
        }
        return found
    }

    private static func attach(_ name: String, _ configuration: String?, to mixer: OpaquePointer) -> Int32 {
        guard let configuration else { return snd_mixer_attach(mixer, name) }
        var tree: OpaquePointer?
        let loaded = configuration.withCString { snd_config_load_string(&tree, $0, strlen($0)) }
        guard loaded >= 0, let tree else { return loaded }
        defer { snd_config_delete(tree) }
        var control: OpaquePointer?
        let opened = snd_ctl_open_lconf(&control, name, 0, tree)
        guard opened >= 0, let control else { return opened }
        var high: OpaquePointer?
        let wrapped = snd_hctl_open_ctl(&high, control)
        guard wrapped >= 0, let high else {
            snd_ctl_close(control)
            return wrapped
        }
        // The mixer closes it.
        return snd_mixer_attach_hctl(mixer, high)
    }
}

/// A control of a mixer with a volume for playback.
private struct OutputControl {
    let element: OpaquePointer

    var name: String { String(cString: snd_mixer_selem_get_name(element)) }

    func volume() throws(AudioError) -> OutputVolume {
        let range = range
        let channels = channels
        var loudest = range.lowerBound
        for channel in channels {
            var value = 0
            try check(snd_mixer_selem_get_playback_volume(element, channel, &value), "read")
            loudest = max(loudest, value)
        }
        var isOn = snd_mixer_selem_has_playback_switch(element) == 0
        for channel in channels where !isOn {
            var value: Int32 = 0
            try check(snd_mixer_selem_get_playback_switch(element, channel, &value), "read")
            isOn = value != 0
        }
        let share = range.isEmpty ? 0 : Double(loudest - range.lowerBound) / Double(range.count)
        return OutputVolume(percent: Int((share * 100).rounded()), isMuted: !isOn)
    }

    func set(percent: Int) throws(AudioError) {
        let range = range
        let value = range.lowerBound + Int((Double(range.count) * Double(percent) / 100).rounded())
        try check(snd_mixer_selem_set_playback_volume_all(element, value), "set")
    }

    func set(isMuted: Bool) throws(AudioError) {
        guard snd_mixer_selem_has_playback_switch(element) != 0 else {
            throw AudioError(
                .formatNotSupported, "The control \"\(name)\" cannot be muted. Set its volume to 0 percent instead.")
        }
        try check(snd_mixer_selem_set_playback_switch_all(element, isMuted ? 0 : 1), "set")
    }

    /// The values from the lowest one up to, without it, the highest one.
    private var range: Range<Int> {
        var (low, high) = (0, 0)
        snd_mixer_selem_get_playback_volume_range(element, &low, &high)
        return low..<max(low, high)
    }

    private var channels: [snd_mixer_selem_channel_id_t] {
        (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t($0) }
            .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
    }

    private func check(_ code: Int32, _ verb: String) throws(AudioError) {
        guard code < 0 else { return }
        throw AudioError(
            .io, "The volume cannot be \(verb). Check the sound device.",
            underlying: String(cString: snd_strerror(code)))
    }
}
