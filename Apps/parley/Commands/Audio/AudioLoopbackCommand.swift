// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley audio loopback`: measures the path from the loudspeaker to the microphone.
struct AudioLoopbackCommand: Command {
    private static let device = ValueOption<String>(
        "device", short: "d", placeholder: "NAME", help: "Use this device (parley devices lists them)")
    private static let rounds = ValueOption<Int>(
        "rounds", placeholder: "COUNT", help: "How many chirps (1 to 100, default 3)", in: 1...100)
    private static let virtual = Flag("virtual", help: "Measure the program's own virtual card instead")
    static let specification = CommandSpecification(
        path: ["audio", "loopback"],
        summary: "Measure how long sound takes from the program through the air and back",
        discussion: "Plays short chirps: put the microphone near the loudspeaker.",
        options: [
            device,
            rounds,
            virtual,
        ])

    private let device: String
    private let rounds: Int
    private let isVirtual: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        device = invocation[Self.device] ?? "default"
        rounds = invocation[Self.rounds] ?? 3
        isVirtual = invocation.has(Self.virtual)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let result: LoopbackMeasurement
        do {
            let device =
                isVirtual
                ? AudioDevice.virtual(try VirtualCard.loopback())
                : try await app.devices(for: AudioRoute(input: nil, output: nil, device: device)).playback
            result = try await LoopbackMeasurement.measure(playback: device, capture: device, rounds: rounds)
        } catch let error as AudioError { throw DomainError(translating: error) }
        let (latency, spread) = (
            Self.milliseconds(result.latencyFrames, result.format),
            Self.milliseconds(result.spreadFrames, result.format)
        )
        let (count, level) = (result.rounds.count, LevelBar.text(result.level))
        try console.tell(
            Sentence(
                one: "\(latency) ms there and back, \(spread) ms apart in \(count) round; heard at \(level) dBFS",
                other: "\(latency) ms there and back, \(spread) ms apart in \(count) rounds; heard at \(level) dBFS",
                count: count))
        try console.emit(
            Output(
                milliseconds: result.latency / .milliseconds(1), frames: result.latencyFrames,
                spreadFrames: result.spreadFrames, confidence: result.confidence, level: result.level))
        return .done
    }

    private static func milliseconds(_ frames: Double, _ format: AudioFormat) -> String {
        AudioVADCommand.number(Float(frames * 1_000 / Double(format.sampleRate)), decimals: 2)
    }

    private struct Output: Encodable {
        let milliseconds: Double
        let frames: Double
        let spreadFrames: Double
        let confidence: Double
        let level: Float
    }
}
