// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import Domain
import TerminalKit

/// `parley audio doctor`: finds the reason why there is no sound.
struct AudioDoctorCommand: Command {
    private static let device = ValueOption<String>(
        "device", short: "d", placeholder: "NAME", help: "Check this device (parley devices lists them)")
    static let specification = CommandSpecification(
        path: ["audio", "doctor"],
        summary: "Say why a microphone or a loudspeaker does not work, and what to do",
        discussion: "Exit code 4 when something is wrong.",
        options: [
            device
        ])

    private let device: String

    init(_ invocation: Invocation) throws(UsageError) {
        device = invocation[Self.device] ?? "default"
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let route = AudioRoute(input: nil, output: nil, device: device)
        let device = try await app.devices(for: route).capture
        let names = ["microphone" as Sentence, "loudspeaker" as Sentence].map(console.text)
        let width = names.map(\.columns).max() ?? 0
        var isHealthy = true
        for direction in AudioDirection.allCases {
            let diagnosis = AudioDoctor.examine(device, direction)
            isHealthy = isHealthy && diagnosis.isHealthy
            let name = names[direction == .capture ? 0 : 1].padded(to: width)
            if diagnosis.isHealthy {
                try console.show("\(console.styled("✓", .success)) \(name)  \(self.device.printable)")
            }
            for problem in diagnosis.problems {
                try console.show("\(console.styled("✗", .failure)) \(name)  \(console.text(problem.text))")
            }
            try console.emit(DiagnosisOutput(diagnosis))
        }
        return isHealthy ? .done : .device
    }

    private struct DiagnosisOutput: Encodable {
        let device: String
        let direction: String
        let healthy: Bool
        let problems: [ErrorReport]
        let holders: [String]

        init(_ diagnosis: AudioDiagnosis) {
            device = diagnosis.device
            direction = diagnosis.direction.rawValue
            healthy = diagnosis.isHealthy
            problems = diagnosis.problems.map { ErrorReport(code: $0.code.rawValue, $0.text) }
            holders = diagnosis.holders.map { "\($0.name) (\($0.process))" }
        }
    }
}

extension AudioDiagnosis.Problem {
    /// The problem for a person: the package's words in English, in other languages a sentence for the code.
    fileprivate var text: Sentence {
        translation.map { Sentence(verbatim: sentence, elsewhere: $0) } ?? Sentence(verbatim: sentence)
    }

    private var translation: Sentence? {
        switch code {
        case .notFound: "The sound device does not exist. parley devices lists those that do. Details: \(sentence)"
        case .unplugged: "The sound device was unplugged, or does not answer. Plug it in again."
        case .busy: "Another program is using the sound device. Close it, then try again. Details: \(sentence)"
        case .permission: "The system denies access to the sound device or the file. Details: \(sentence)"
        case .wrongFormat: "The sound device does not take sound of this format. Details: \(sentence)"
        case .muted: "A switch of the sound device's mixer is off. Details: \(sentence)"
        case .silent: "A volume of the sound device's mixer is at its lowest. Details: \(sentence)"
        case .noSoundServer: "No sound server answers. Start PulseAudio or PipeWire, or choose a sound card."
        case .nothingPluggedIn: "Nothing is plugged into the sound device. Plug in a microphone or loudspeakers."
        default: nil
        }
    }
}
