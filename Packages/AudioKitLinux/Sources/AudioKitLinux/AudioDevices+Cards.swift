// SPDX-License-Identifier: MIT
internal import CALSA

/// The sound cards, as the kernel reports them.
enum AudioCards {
    /// Every PCM device of every card that this user may access.
    static func list() -> [AudioDeviceInfo] {
        var devices: [AudioDeviceInfo] = []
        var card: Int32 = -1
        while snd_card_next(&card) == 0, card >= 0 { devices += self.devices(ofCard: card) }
        return devices
    }

    private static func devices(ofCard card: Int32) -> [AudioDeviceInfo] {
        var control: OpaquePointer?
        let (code, _) = ALSAMessages.gather { snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_READONLY)) }
        guard code == 0, let control else { return [] }
        defer { snd_ctl_close(control) }
        var info: OpaquePointer?
        var pcm: OpaquePointer?
        guard snd_ctl_card_info_malloc(&info) == 0, let info else { return [] }
        defer { snd_ctl_card_info_free(info) }
        guard snd_pcm_info_malloc(&pcm) == 0, let pcm, snd_ctl_card_info(control, info) == 0 else { return [] }
        defer { snd_pcm_info_free(pcm) }
        let id = String(cString: snd_ctl_card_info_get_id(info))
        let cardName = String(cString: snd_ctl_card_info_get_name(info))
        var devices: [AudioDeviceInfo] = []
        var number: Int32 = -1
        while snd_ctl_pcm_next_device(control, &number) == 0, number >= 0 {
            var directions: Set<AudioDirection> = []
            var name = ""
            for direction in AudioDirection.allCases {
                snd_pcm_info_set_device(pcm, UInt32(number))
                snd_pcm_info_set_subdevice(pcm, 0)
                snd_pcm_info_set_stream(
                    pcm, direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK)
                guard snd_ctl_pcm_info(control, pcm) == 0 else { continue }
                directions.insert(direction)
                name = String(cString: snd_pcm_info_get_name(pcm))
            }
            guard !directions.isEmpty else { continue }
            devices.append(device(cardID: id, cardName: cardName, number: Int(number), name: name, directions))
        }
        return devices
    }

    /// The entry for a card's device; `plughw` converts formats that the hardware does not support.
    static func device(
        cardID: String, cardName: String, number: Int, name: String, _ directions: Set<AudioDirection>
    ) -> AudioDeviceInfo {
        // Drivers repeat the card's name, or an internal one, in the device's.
        let short = name.isEmpty || name == cardName ? "" : ": \(name)"
        return AudioDeviceInfo(
            name: "plughw:CARD=\(cardID),DEV=\(number)", description: cardName + short, directions: directions,
            id: "hw:CARD=\(cardID),DEV=\(number)", kind: .card)
    }
}
