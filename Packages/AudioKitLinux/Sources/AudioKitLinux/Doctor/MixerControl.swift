// SPDX-License-Identifier: MIT
internal import CALSA

/// One control of a card's mixer, for one direction.
struct MixerControl: Hashable {
    let name: String
    /// True if its switch lets sound through on some channel; nil without a switch.
    let isOn: Bool?
    /// Its loudest channel within its range, 0…1; nil without a volume.
    let volume: Double?

    /// The controls of a control device, such as "hw:0" or "default"; empty if it has no mixer.
    static func read(_ control: String, _ direction: AudioDirection) -> [MixerControl] {
        ALSAMessages.gather { () -> [MixerControl] in
            var mixer: OpaquePointer?
            guard snd_mixer_open(&mixer, 0) == 0, let mixer else { return [] }
            defer { snd_mixer_close(mixer) }
            guard snd_mixer_attach(mixer, control) == 0, snd_mixer_selem_register(mixer, nil, nil) == 0,
                snd_mixer_load(mixer) == 0
            else { return [] }
            var controls: [MixerControl] = []
            var next = snd_mixer_first_elem(mixer)
            while let element = next {
                next = snd_mixer_elem_next(element)
                guard snd_mixer_selem_is_active(element) != 0,
                    let found = direction == .playback ? playback(element) : capture(element)
                else { continue }
                controls.append(found)
            }
            return controls
        }.0
    }

    private static func playback(_ element: OpaquePointer) -> MixerControl? {
        let hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
        let hasVolume = snd_mixer_selem_has_playback_volume(element) != 0
        guard hasSwitch || hasVolume else { return nil }
        let channels = channels.filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
        let isOn = channels.contains { channel in
            var value: Int32 = 0
            return snd_mixer_selem_get_playback_switch(element, channel, &value) == 0 && value != 0
        }
        var (low, high) = (0, 0)
        snd_mixer_selem_get_playback_volume_range(element, &low, &high)
        let loudest = channels.compactMap { channel -> Int? in
            var value = 0
            return snd_mixer_selem_get_playback_volume(element, channel, &value) == 0 ? value : nil
        }.max()
        return MixerControl(
            name: String(cString: snd_mixer_selem_get_name(element)), isOn: hasSwitch ? isOn : nil,
            volume: hasVolume ? place(loudest, low, high) : nil)
    }

    private static func capture(_ element: OpaquePointer) -> MixerControl? {
        let hasSwitch = snd_mixer_selem_has_capture_switch(element) != 0
        let hasVolume = snd_mixer_selem_has_capture_volume(element) != 0
        guard hasSwitch || hasVolume else { return nil }
        let channels = channels.filter { snd_mixer_selem_has_capture_channel(element, $0) != 0 }
        let isOn = channels.contains { channel in
            var value: Int32 = 0
            return snd_mixer_selem_get_capture_switch(element, channel, &value) == 0 && value != 0
        }
        var (low, high) = (0, 0)
        snd_mixer_selem_get_capture_volume_range(element, &low, &high)
        let loudest = channels.compactMap { channel -> Int? in
            var value = 0
            return snd_mixer_selem_get_capture_volume(element, channel, &value) == 0 ? value : nil
        }.max()
        return MixerControl(
            name: String(cString: snd_mixer_selem_get_name(element)), isOn: hasSwitch ? isOn : nil,
            volume: hasVolume ? place(loudest, low, high) : nil)
    }

    private static func place(_ value: Int?, _ low: Int, _ high: Int) -> Double? {
        guard let value, high > low else { return nil }
        return Double(value - low) / Double(high - low)
    }

    private static var channels: [snd_mixer_selem_channel_id_t] {
        (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t($0) }
    }
}
