// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import DataLayer
import Domain
import TerminalKit
import VoiceActivity

/// `parley audio vad`: finds the speech in a sound file.
struct AudioVADCommand: Command {
    private static let probabilities = Flag(
        "probabilities", help: "Write the probability of speech instead, one number for each 10 ms")
    private static let file = Positional<String>("FILE", help: "Any file that libsndfile reads", completion: .files)
    static let specification = CommandSpecification(
        path: ["audio", "vad"],
        summary: "Show where there is speech in a sound file",
        discussion: "Each line is the beginning and the end of speech in seconds.",
        positionals: [file],
        options: [
            probabilities,
            VoiceActivityChoice.option,
        ])

    private let file: String
    private let choice: VoiceActivityChoice
    private let showsProbabilities: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation[Self.file]
        choice = invocation[VoiceActivityChoice.option] ?? .auto
        showsProbabilities = invocation.has(Self.probabilities)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        var (detector, name, configuration) = try choice.make()
        var output = Output(detector: name, frame: 0.01, speech: [], probabilities: showsProbabilities ? [] : nil)
        var endpointer = Endpointer(configuration: configuration)
        func take(_ probabilities: [Float], _ events: [Endpointer.Event]) throws {
            if showsProbabilities {
                try console.show(lines: probabilities.map { Self.number($0, decimals: 4) })
                if console.isJSON { output.probabilities?.append(contentsOf: probabilities) }
            }
            for case .speechEnded(let range, _, _) in events {
                let span = Output.Span(
                    start: Double(range.lowerBound) / 16_000, end: Double(range.upperBound) / 16_000)
                output.speech.append(span)
                if !showsProbabilities {
                    try console.show(
                        "\(Self.number(Float(span.start), decimals: 2))  \(Self.number(Float(span.end), decimals: 2))")
                }
            }
        }
        do {
            let reader = try SoundFileReader(path: file)
            while let buffer = try reader.readConverted(to: .speech, frames: 16_000) {
                try Task.checkCancellation()
                let probabilities = detector.process(buffer.samples)
                try take(probabilities, endpointer.process(probabilities))
            }
        } catch let error as AudioError { throw DomainError(translating: error) }
        let rest = detector.finish()
        try take(rest, endpointer.process(rest) + endpointer.finish())
        if output.speech.isEmpty, !showsProbabilities { console.progress("There is no speech in \(file.printable).") }
        try console.emit(output)
        return .done
    }

    /// The number with this many decimals, independent of the locale.
    static func number(_ value: Float, decimals: Int) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((Double(value) * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    private struct Output: Encodable {
        let detector: String
        /// The length of a frame in seconds.
        let frame: Double
        var speech: [Span]
        var probabilities: [Float]?

        struct Span: Encodable {
            let start: Double
            let end: Double
        }
    }
}

extension Console {
    /// Writes many results for a person at once; nothing in JSON mode.
    func show(lines: [String]) throws {
        if !lines.isEmpty { try show(lines.joined(separator: "\n")) }
    }
}
