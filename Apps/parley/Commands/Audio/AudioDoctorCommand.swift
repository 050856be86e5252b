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
        var isHealthy = true
        for direction in AudioDirection.allCases {
            let diagnosis = AudioDoctor.examine(device, direction)
            isHealthy = isHealthy && diagnosis.isHealthy
            let name = direction == .capture ? "microphone " : "loudspeaker"
            if diagnosis.isHealthy {
                try console.show("\(console.styled("✓", .success)) \(name)  \(self.device.printable)")
            }
            for problem in diagnosis.problems {
                try console.show("\(console.styled("✗", .failure)) \(name)  \(problem.sentence.printable)")
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
            problems = diagnosis.problems.map { ErrorReport(code: $0.code.rawValue, message: $0.sentence) }
            holders = diagnosis.holders.map { "\($0.name) (\($0.process))" }
        }
    }
}
