// SPDX-License-Identifier: MIT

import AudioDSP
import AudioKitLinux
import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley record`: records the microphone into a file.
struct RecordCommand: Command {
    private static let input = AudioRoute.input("Record a sound file in real time instead")
    private static let seconds = ValueOption<Int>(
        "seconds", placeholder: "COUNT", help: "End after so many seconds (1 to 86400)", in: 1...86_400)
    private static let rate = ValueOption<Int>(
        "rate", placeholder: "HERTZ", help: "Samples a second: 16000 or 48000 (default)",
        choices: [16_000, 48_000])
    private static let overwrite = Flag("overwrite", help: "Replace FILE if it exists")
    private static let file = Positional<String>("FILE", help: "Where to: .wav, .flac, .ogg, .opus", completion: .files)
    static let specification = CommandSpecification(
        path: ["record"],
        summary: "Record the microphone into a WAV, FLAC or Ogg file",
        discussion: """
            Enter pauses and resumes; Ctrl-D or Ctrl-C ends. Whatever ends it, a device that is unplugged or a full disk
            as well: what was recorded is in the file. When the microphone goes or the machine sleeps, the recording rests
            until you press Enter. Media players rest meanwhile; --keep-playing, or {"keepPlaying": true} in settings.json
            in the configuration folder, lets them play.
            """,
        positionals: [file],
        options: [
            AudioRoute.device,
            input,
            seconds,
            rate,
            PictureFile.option,
            overwrite,
            RecordingCompany.keepPlaying,
        ])

    private let file: String
    private let picture: PictureFile?
    private let route: AudioRoute
    private let configuration: SoundRecorder.Configuration
    private let keepsPlaying: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation[Self.file]
        try AudioRoute.checkEnding(of: file, for: invocation.command)
        picture = invocation[PictureFile.option]
        route = try AudioRoute(invocation, input: Self.input)
        var configuration = SoundRecorder.Configuration()
        let rate = invocation[Self.rate] ?? 48_000
        configuration.format = AudioFormat(sampleRate: rate)
        configuration.limit = invocation[Self.seconds].map(Duration.seconds)
        configuration.replacesFile = invocation.has(Self.overwrite)
        self.configuration = configuration
        keepsPlaying = invocation.has(RecordingCompany.keepPlaying)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let status = StatusLine(console: console)
        var view = RecordingView(rate: configuration.format.sampleRate, console: console)
        let control = TransportControl()
        let summary: SoundRecorder.Summary
        do {
            let devices = try await app.devices(for: route, format: configuration.format, trailingSilence: .zero)
            let recorder = SoundRecorder(device: devices.capture, configuration: configuration)
            let company = RecordingCompany(
                app: app, console: console, status: status, keepsPlaying: keepsPlaying)
            summary = try await company.run(control, recording: route) {
                try await KeyboardTransport(control: control).run {
                    try await recorder.record(to: file, control: control) { progress in
                        view.welcome()
                        if let line = view.line(progress, on: status) { status.show(line) }
                    } replacement: {
                        company.askedReplacement(for: route.device, after: $0)
                    }
                }
            }
        } catch let error as AudioError where error.code == .fileExists && !configuration.replacesFile {
            throw DomainError.file("\(file.printable) already exists. Choose another file, or add --overwrite.")
        } catch let error as AudioError { throw DomainError(translating: error) }
        status.clear()
        let peaks = view.finished()
        let title = "\(file.printable), \(summary.duration.clock)"
        try console.show(peaks, title: title, picture: picture)
        try console.tell("\(summary.duration.clock) are in \(file.printable).")
        let losses = summary.statistics.xruns + summary.statistics.dropped
        if losses > 0 { console.progress("\(losses) times sound was lost: the machine was too slow.") }
        try console.emit(
            Output(
                file: file, seconds: summary.duration / .seconds(1), xruns: summary.statistics.xruns,
                dropped: summary.statistics.dropped))
        if case .failed(let error) = summary.ending { throw DomainError(translating: error) }
        return .done
    }

    private struct Output: Encodable {
        let file: String
        let seconds: Double
        let xruns: Int
        let dropped: Int
    }
}

/// The view of a recording while it goes on.
private struct RecordingView {
    private var bar: LevelBar
    private var peaks: WaveformPeaks
    private var gathered: [Float] = []
    private var isNew = true
    private let tenth: Int
    private let console: Console
    /// The columns of the longer word before the clock.
    private let width: Int

    init(rate: Int, console: Console) {
        bar = LevelBar(glyphs: console.traits.glyphs)
        peaks = WaveformPeaks()
        tenth = rate / 10
        self.console = console
        width = ["rest" as Sentence, "record" as Sentence].map { console.text($0).columns }.max() ?? 0
    }

    /// Says once that sound is arriving, and which keys there are.
    mutating func welcome() {
        guard isNew else { return }
        isNew = false
        guard InputStream().isTerminal else { return }
        console.progress("Recording. Enter pauses and resumes, Ctrl-D ends.", .muted)
    }

    /// Returns a new line for each tenth of a second.
    mutating func line(_ progress: SoundRecorder.Progress, on status: StatusLine) -> String? {
        if !progress.isPaused { progress.buffer.samples.withUnsafeBufferPointer { peaks.add($0) } }
        gathered += progress.buffer.samples
        guard gathered.count >= tenth else { return nil }
        defer { gathered = [] }
        let level = AudioLevel(of: AudioBuffer(samples: gathered, format: progress.buffer.format))
        let word = console.text(progress.isPaused ? "rest" : "record")
        let start = "\(word.padded(to: width)) \(progress.duration.clock)  "
        return start + bar.draw(level, columns: status.room(behind: start))
    }

    mutating func finished() -> WaveformPeaks {
        peaks.finish()
        return peaks
    }
}
