// SPDX-License-Identifier: MIT

/// All observations of a device, and the problems that follow from them. Pure.
struct DoctorFindings {
    let device: String
    let direction: AudioDirection
    let format: AudioFormat
    var isConfigured = false
    var hasSoundServer = false
    var cards: [KernelSound.Card] = []
    var nodes = OpenFailure.CardNodes.none
    var holders: [AudioDiagnosis.Holder] = []
    var failure: AudioError?
    var capabilities: AudioCapabilities?
    var mixer: [MixerControl] = []
    var jacks: [JackState] = []

    init(device: String, direction: AudioDirection, format: AudioFormat) {
        self.device = device
        self.direction = direction
        self.format = format
    }

    /// The card with that number or id.
    func card(_ name: String?) -> KernelSound.Card? {
        guard let name else { return nil }
        return cards.first { $0.id == name || Int(name) == $0.number }
    }

    /// The problems, the most important first.
    var problems: [AudioDiagnosis.Problem] {
        if let failure { return [problem(failure)] + [controlProblem].compactMap { $0 } }
        return [formatProblem, controlProblem, jackProblem].compactMap { $0 }
    }

    private func problem(_ failure: AudioError) -> AudioDiagnosis.Problem {
        let named = KernelSound.card(ofName: device)?.card
        switch failure.code {
        case .deviceBusy:
            return .init(.busy, "\"\(device)\" is in use\(who). Close that program, or choose another device.")
        case .permission: return forbidden
        case .unplugged: return .init(.unplugged, failure.message)
        case .deviceNotFound where nodes == .forbidden: return forbidden
        case .deviceNotFound:
            if let named, !isConfigured, card(named) == nil {
                if Int(named) == nil {
                    return .init(
                        .unplugged, "The card \"\(named)\" is not connected. Plug it in, or choose another device.")
                }
                return .init(.notFound, "There is no card number \(named). List the devices and choose one.")
            }
            let isServed = ["default", "pulse", "pipewire"].contains(device) || device.hasPrefix("pulse:")
            if isServed, !hasSoundServer {
                let rest =
                    cards.isEmpty
                    ? "and the machine has no sound card. Plug in a sound device"
                    : "which this device needs. Choose a card instead"
                return .init(.noSoundServer, "No sound server answers, \(rest), or start PulseAudio or PipeWire.")
            }
            return .init(.notFound, "There is no sound device \"\(device)\". List the devices and choose one.")
        default: return .init(.other, failure.description)
        }
    }

    private var who: String {
        guard !holders.isEmpty else { return " by another program, perhaps another user's" }
        return " by " + holders.map { "\($0.name) (process \($0.process))" }.joined(separator: ", ")
    }

    private var forbidden: AudioDiagnosis.Problem {
        .init(
            .permission,
            "You may not use the sound device \"\(device)\". Join the group \"audio\" (sudo usermod -aG audio $USER) and"
                + " log in again, or work in the desktop's own session, which grants it.")
    }

    private var formatProblem: AudioDiagnosis.Problem? {
        guard let capabilities else { return nil }
        var wishes: [String] = []
        if !capabilities.channels.contains(format.channels) {
            let most = capabilities.channels
            wishes.append("\(most.lowerBound) to \(most.upperBound) channels, not \(format.channels)")
        }
        let one = AudioFormat(sampleRate: format.sampleRate, channels: capabilities.channels.lowerBound)
        if !capabilities.includes(one) {
            let rates = capabilities.sampleRates.map(String.init).joined(separator: ", ")
            wishes.append("\(rates) Hz, not \(format.sampleRate)")
        }
        if !capabilities.sampleFormats.contains(where: { ["S16_LE", "S32_LE", "FLOAT_LE"].contains($0) }) {
            wishes.append("samples as \(capabilities.sampleFormats.joined(separator: ", "))")
        }
        guard !wishes.isEmpty else { return nil }
        let better = device.hasPrefix("hw:") ? "\"plug\(device)\", which converts" : "\"default\", which converts"
        return .init(.wrongFormat, "\"\(device)\" does \(wishes.joined(separator: "; ")). Use \(better).")
    }

    /// `all`: controls that all sound of a direction passes. `any`: controls of which one is enough.
    private static let gates: [AudioDirection: (all: Set<String>, any: Set<String>)] = [
        .playback: (
            ["Master", "PCM"], ["Speaker", "Headphone", "Front", "Line Out", "Headset", "Master Mono", "Digital"]
        ),
        .capture: (["Capture"], ["Mic", "Internal Mic", "Front Mic", "Rear Mic", "Headset Mic", "Line", "Digital"]),
    ]

    private var controlProblem: AudioDiagnosis.Problem? {
        guard let gates = Self.gates[direction] else { return nil }
        let blocked = mixer.first { gates.all.contains($0.name) && $0.isBlocked }
        let several = mixer.filter { gates.any.contains($0.name) }
        guard let control = blocked ?? (several.allSatisfy(\.isBlocked) ? several.first : nil) else { return nil }
        let how =
            "Raise it in alsamixer, or by: amixer sset '\(control.name)' 80% \(direction == .capture ? "cap" : "unmute")"
        if control.isOn == false {
            return .init(.muted, "The mixer's \"\(control.name)\" is switched off. \(how)")
        }
        return .init(.silent, "The mixer's \"\(control.name)\" is at its lowest. \(how)")
    }

    private var jackProblem: AudioDiagnosis.Problem? {
        let number = KernelSound.card(ofName: device)?.device
        let sockets = jacks.filter { $0.direction == direction && ($0.device == nil || $0.device == number) }
        // A separate device, such as one HDMI output, is judged by its own sockets alone.
        let own = sockets.filter { $0.device != nil }
        let counted = own.isEmpty ? sockets : own
        let hasBuiltIn =
            counted.contains(where: \.isBuiltIn) || (direction == .playback && mixer.contains { $0.name == "Speaker" })
        guard !counted.isEmpty, !(own.isEmpty && hasBuiltIn), !counted.contains(where: \.isPluggedIn) else {
            return nil
        }
        let what = direction == .capture ? "a microphone" : "loudspeakers or headphones"
        let names = counted.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return .init(.nothingPluggedIn, "Nothing is plugged in (\(names)). Plug in \(what).")
    }
}

extension MixerControl {
    /// True if no sound passes.
    var isBlocked: Bool { isOn == false || volume == 0 }
}
