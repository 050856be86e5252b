// SPDX-License-Identifier: MIT

import AudioDSP
import AudioKitLinux
import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley play`: plays a sound file.
struct PlayCommand: Command {
    private static let output = AudioRoute.output("Play into a WAV file instead, in real time")
    private static let from = ValueOption<Int>(
        "from", placeholder: "SECONDS", help: "Begin there (0 to 86400)", in: 0...86_400)
    private static let file = Positional<String>(
        "FILE", help: "Any file that libsndfile reads; - is standard input", completion: .files)
    static let specification = CommandSpecification(
        path: ["play"],
        summary: "Play a sound file",
        discussion: "Enter pauses and resumes; Ctrl-D or Ctrl-C ends.",
        positionals: [file],
        options: [
            AudioRoute.device,
            output,
            from,
            PictureFile.option,
        ])

    private let file: String
    private let picture: PictureFile?
    private let route: AudioRoute
    private let start: Duration

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation[Self.file]
        picture = invocation[PictureFile.option]
        route = try AudioRoute(invocation, output: Self.output)
        start = .seconds(invocation[Self.from] ?? 0)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let status = StatusLine(console: console)
        defer { status.clear() }
        var bar = LevelBar(glyphs: console.traits.glyphs)
        let control = TransportControl()
        let file = try await StandardSound.path(file)
        do {
            try draw(file, console)
            let format = SoundPlayer.format(for: try SoundFileReader(path: file))
            let player = SoundPlayer(device: try await app.devices(for: route, format: format).playback)
            let position = try await KeyboardTransport(control: control).run {
                try await player.play(file, from: start, control: control) { progress in
                    let level = AudioLevel(of: progress.buffer)
                    let word = console.text(progress.isPaused ? "rest" : "play")
                    let place = console.text("\(progress.heard.clock) of \(progress.duration.clock)")
                    let start = "\(word) \(place)  "
                    status.show(start + bar.draw(level, columns: status.room(behind: start)))
                }
            }
            try console.emit(["heard": position / .seconds(1)])
        } catch let error as AudioError { throw DomainError(translating: error) }
        return .done
    }

    /// Draws the whole waveform on a terminal and into the picture's file.
    private func draw(_ file: String, _ console: Console) throws {
        guard picture != nil || console.output.isTerminal && !console.isJSON else { return }
        let reader = try SoundFileReader(path: file)
        var peaks = WaveformPeaks(channels: reader.format.channels)
        while let piece = try reader.read(frames: 16_384) {
            try Task.checkCancellation()
            piece.samples.withUnsafeBufferPointer { peaks.add($0) }
        }
        peaks.finish()
        let title = "\(self.file.printable), \(reader.duration.clock)"
        try console.show(peaks, title: title, picture: picture)
    }
}
