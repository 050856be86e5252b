// SPDX-License-Identifier: MIT
internal import CALSA

/// Finds out why no sound comes or goes, and says what to do.
public enum AudioDoctor {
    /// Looks at one device in one direction, as a stream with `format` would use it.
    ///
    /// Opens the device for a moment without starting it, reads its mixer and its sockets, and looks through `/proc`
    /// for who holds it. Changes nothing; blocking, some milliseconds. A virtual card is judged by its format alone.
    public static func examine(
        _ device: AudioDevice, _ direction: AudioDirection, format: AudioFormat = .speech
    ) -> AudioDiagnosis {
        examine(device, direction, format: format, files: SystemFiles())
    }

    static func examine(
        _ device: AudioDevice, _ direction: AudioDirection, format: AudioFormat, files: SystemFiles
    ) -> AudioDiagnosis {
        var findings = DoctorFindings(device: device.name, direction: direction, format: format)
        findings.isConfigured = device.isConfigured
        findings.hasSoundServer = SoundServer.find() != nil
        findings.cards = KernelSound.cards(files.text("/proc/asound/cards") ?? "")
        do throws(AudioError) {
            findings.capabilities = try AudioDevices.capabilities(of: device, direction)
        } catch { findings.failure = error }
        let named = KernelSound.card(ofName: device.name)
        let card = findings.card(named?.card)
        findings.nodes = files.cardNodes(card: card?.number)
        if findings.failure?.code == .deviceBusy {
            findings.holders = KernelSound.holders(files, card: card?.number, device: named?.device, direction)
        }
        // A device of a configuration of its own has no mixer that its name would lead to.
        if !device.isConfigured, case .alsa = device.kind, card != nil || device.name == "default" {
            let control = card.map { "hw:\($0.number)" } ?? "default"
            findings.mixer = MixerControl.read(control, direction)
            findings.jacks = JackState.read(control)
        }
        return AudioDiagnosis(
            device: device.name, direction: direction, problems: findings.problems, holders: findings.holders,
            capabilities: findings.capabilities, hasSoundServer: findings.hasSoundServer)
    }
}

extension AudioDevice {
    /// True if it stands on a configuration text of its own.
    var isConfigured: Bool {
        if case .alsa(_, let text?) = kind { return !text.isEmpty }
        return false
    }
}
