// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import Domain

/// `parley audio meter`: shows how loud the microphone is.
struct AudioMeterCommand: Command {
    static let specification = CommandSpecification(
        path: ["audio", "meter"],
        summary: "Show the level of the microphone, its peaks and what clips, until Ctrl-C",
        options: [
            OptionSpecification(
                name: "device", short: "d", value: "NAME", help: "Use this ALSA device (parley devices lists them)"),
            OptionSpecification(
                name: "input", short: "i", value: "FILE", help: "Measure a sound file in real time instead",
                completion: .files),
            OptionSpecification(name: "seconds", value: "COUNT", help: "End after so many seconds (1 to 86400)"),
        ])

    private let route: AudioRoute
    private let seconds: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        route = AudioRoute(input: invocation["input"], output: nil, device: invocation["device"] ?? "default")
        seconds = try invocation.integer("seconds", in: 1...86_400)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let status = StatusLine(console: console)
        var bar = LevelBar(usesUnicode: console.traits.hasUnicode)
        var total = LevelTotal()
        defer { status.clear() }
        do {
            let configuration = StreamConfiguration(
                format: AudioFormat(sampleRate: 48_000), period: .milliseconds(100), buffer: .milliseconds(400))
            let capture = try await AudioCapture.start(
                device: try app.devices(for: route, format: configuration.format).capture,
                configuration: configuration, logger: app.logger)
            for try await captured in capture.buffers {
                let level = AudioLevel(of: captured.buffer)
                total.add(level)
                status.show(bar.draw(level))
                try console.emit(LevelOutput(level))
                if let seconds, total.tenths >= seconds * 10 { break }
            }
            await capture.stop()
        } catch let error as AudioError { throw DomainError(translating: error) }
        status.clear()
        try console.show(
            "loudest \(LevelBar.text(total.rms)) dBFS, peak \(LevelBar.text(total.peak)) dBFS, "
                + "\(total.clipped) samples clipped in \(total.tenths / 10) s")
        return .done
    }

    private struct LevelTotal {
        var tenths = 0
        var clipped = 0
        var rms = AudioLevel.floor
        var peak = AudioLevel.floor

        mutating func add(_ level: AudioLevel) {
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
