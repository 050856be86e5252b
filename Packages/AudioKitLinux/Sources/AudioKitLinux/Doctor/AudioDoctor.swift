// SPDX-License-Identifier: MIT
internal import CALSA

/// Finds the reason that sound does not flow, with advice.
public enum AudioDoctor {
    /// Examines one device in one direction, as a stream with `format` would use it.
    ///
    /// Opens the device for a moment without starting it, reads its mixer and sockets, and searches `/proc` for the
    /// programs that hold it. Changes nothing; blocks for some milliseconds. A virtual card is judged by its format.
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
        // The name of a device with its own configuration does not lead to a mixer.
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
    /// True if it has its own configuration text.
    var isConfigured: Bool {
        if case .alsa(_, let text?) = kind { return !text.isEmpty }
        return false
    }
}
