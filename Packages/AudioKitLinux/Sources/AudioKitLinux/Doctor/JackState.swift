// SPDX-License-Identifier: MIT
internal import CALSA

/// A socket of a card that can detect a plug.
struct JackState: Hashable {
    /// The kernel's name, such as "Headphone Jack" or "HDMI/DP,pcm=3 Jack".
    let name: String
    let isPluggedIn: Bool

    /// True for a loudspeaker or microphone inside the machine, which is always connected.
    var isBuiltIn: Bool { name.contains("Phantom") || name.contains("Internal") || name.hasPrefix("Speaker") }

    var direction: AudioDirection {
        name.contains("Mic") || name.hasPrefix("Line Jack") || name.hasPrefix("Line In") ? .capture : .playback
    }

    /// The PCM device in names such as "HDMI/DP,pcm=3 Jack".
    var device: Int? {
        name.split(separator: ",").lazy.compactMap {
            $0.hasPrefix("pcm=") ? Int($0.dropFirst(4).prefix { $0.isNumber }) : nil
        }
        .first
    }

    /// The sockets of a control device, such as "hw:0"; empty if it does not report any.
    static func read(_ control: String) -> [JackState] {
        ALSAMessages.gather { () -> [JackState] in
            var handle: OpaquePointer?
            guard snd_hctl_open(&handle, control, Int32(SND_CTL_READONLY)) == 0, let handle else { return [] }
            defer { snd_hctl_close(handle) }
            var value: OpaquePointer?
            guard snd_hctl_load(handle) == 0, snd_ctl_elem_value_malloc(&value) == 0, let value else { return [] }
            defer { snd_ctl_elem_value_free(value) }
            var jacks: [JackState] = []
            var next = snd_hctl_first_elem(handle)
            while let element = next {
                next = snd_hctl_elem_next(element)
                let name = String(cString: snd_hctl_elem_get_name(element))
                guard snd_hctl_elem_get_interface(element) == SND_CTL_ELEM_IFACE_CARD, name.hasSuffix(" Jack"),
                    snd_hctl_elem_read(element, value) == 0
                else { continue }
                jacks.append(JackState(name: name, isPluggedIn: snd_ctl_elem_value_get_boolean(value, 0) != 0))
            }
            return jacks
        }.0
    }
}
