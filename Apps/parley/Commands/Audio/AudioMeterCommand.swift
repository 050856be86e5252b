// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley audio meter`: shows the microphone's level.
struct AudioMeterCommand: Command {
    private static let input = AudioRoute.input("Measure a sound file in real time instead")
    private static let seconds = ValueOption<Int>(
        "seconds", placeholder: "COUNT", help: "End after so many seconds (1 to 86400)", in: 1...86_400)
    static let specification = CommandSpecification(
        path: ["audio", "meter"],
        summary: "Show the level of the microphone, its peaks and what clips, until Ctrl-C",
        options: [
            AudioRoute.device,
            input,
            seconds,
        ])

    private let route: AudioRoute
    private let seconds: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        route = try AudioRoute(invocation, input: Self.input)
        seconds = invocation[Self.seconds]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let total = try await measure(in: app, console: console)
        try console.tell(
            "loudest \(LevelBar.text(total.rms)) dBFS, peak \(LevelBar.text(total.peak)) dBFS, samples clipped in \(total.tenths / 10) s: \(total.clipped)"
        )
        return .done
    }

    /// Shows the level while it is measured.
    func measure(in app: CompositionRoot, console: Console) async throws -> LevelTotal {
        let status = StatusLine(console: console)
        var bar = LevelBar(glyphs: console.traits.glyphs)
        var total = LevelTotal()
        defer { status.clear() }
        do {
            let configuration = StreamConfiguration(
                format: AudioFormat(sampleRate: 48_000), period: .milliseconds(100), buffer: .milliseconds(400))
            let capture = try await AudioCapture.start(
                device: try await app.devices(for: route, format: configuration.format, trailingSilence: .zero).capture,
                configuration: configuration, logger: app.logger)
            for try await captured in capture.buffers {
                let level = AudioLevel(of: captured.buffer)
                total.add(level)
                status.show(bar.draw(level, columns: status.room(behind: "")))
                try console.emit(LevelOutput(level))
                if let seconds, total.tenths >= seconds * 10 { break }
            }
            await capture.stop()
        } catch let error as AudioError { throw DomainError(translating: error) }
        return total
    }

    /// The loudest tenth of a second, in dBFS, and what was clipped.
    struct LevelTotal {
        var tenths = 0
        var clipped = 0
        var rms = AudioLevel.floor
        var peak = AudioLevel.floor

        fileprivate mutating func add(_ level: AudioLevel) {
            tenths += 1
            clipped += level.clippedSamples
            rms = max(rms, level.rms)
            peak = max(peak, level.peak)
        }
    }

    private struct LevelOutput: Encodable {
        let rms: Float
        let peak: Float
        let clipped: Int

        init(_ level: AudioLevel) {
            rms = level.rms
            peak = level.peak
            clipped = level.clippedSamples
        }
    }
}

extension LevelBar {
    /// Takes the level of the next tenth of a second and draws it.
    mutating func draw(_ level: AudioLevel, columns: Int) -> String {
        draw(rms: level.rms, peak: level.peak, clippedSamples: level.clippedSamples, columns: columns)
    }
}
