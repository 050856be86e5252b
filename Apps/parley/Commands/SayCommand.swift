// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataVoice
import Domain
import Speech
import TerminalKit

/// `parley say`: speaks a text.
struct SayCommand: Command {
    private static let output = AudioRoute.output("Speak into a sound file; - is standard output")
    private static let language = ValueOption<String>(
        "language", short: "l", placeholder: "TAG", help: "Speak another language, by eSpeak NG: de, fr, zh",
        completion: .list("languages"))
    private static let engine = ValueOption<String>(
        "engine", placeholder: "NAME", help: "Speak by this engine (parley speech list), or local for this machine")
    private static let text = Positional<[String]>(any: "TEXT", help: "What to say; quotes are optional")
    static let specification = CommandSpecification(
        path: ["say"],
        summary: "Speak a text aloud, or into a sound file",
        discussion: """
            The engine in use speaks (parley speech use NAME); with --voice or --language alone this machine does, and with
            --engine, too, they are the voice while the engine fails. Without TEXT, what comes from the pipe is spoken; a word
            - stands for it. --output writes the file as fast as the machine can, and only whole: .wav, .flac, .ogg or .opus by
            its name, and WAV to standard output for -.
            """,
        positionals: [text],
        options: [
            output,
            AudioRoute.device,
            TalkCommand.englishVoice,
            language,
            engine,
            SpeechOutput.speedOption,
            ProfileOption.declared,
        ])

    private static let textLimit = 1_000_000

    private let words: [String]
    private let route: AudioRoute
    private let voice: Voice
    private let percent: Int
    private let profile: String?
    private let spoken: SpokenOptions
    private let engine: String?

    init(_ invocation: Invocation) throws(UsageError) {
        words = invocation[Self.text]
        percent = invocation[SpeechOutput.speedOption] ?? 100
        profile = invocation[ProfileOption.declared]
        spoken = try SpokenOptions(invocation, voices: [TalkCommand.englishVoice, Self.language, Self.engine])
        route = try AudioRoute(invocation, output: Self.output, writesOutput: true)
        engine = invocation[Self.engine]
        if let language = invocation[Self.language] {
            guard !invocation.isGiven(TalkCommand.englishVoice) else {
                throw UsageError(
                    "--voice names an English voice and --language another one. Give one of them.",
                    command: invocation.command)
            }
            voice = .espeak(language: language)
        } else {
            voice = .flite(invocation[TalkCommand.englishVoice] ?? .slt)
        }
        if route.output == StandardSound.word, invocation.has(.json) {
            throw UsageError("--json and the sound cannot both go to standard output.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard let text = try await PipedText(limit: Self.textLimit).read(words),
            text.contains(where: { !$0.isWhitespace })
        else { throw UsageError("TEXT is missing. Give it as words, or pipe it in.", command: Self.specification) }
        let choice = try await app.speechChoice(
            profile: profile, engine: engine, voice: voice, percent: percent, in: spoken)
        if choice.engine == nil, choice.voice.isEnglishOnly {
            let speakable = SpeakableText(text)
            if let refusal = speakable.refusal { throw refusal }
            if let warning = speakable.warning { console.warn(warning) }
        }
        guard let output = route.output else {
            try await app.speaker(route, choice).speak(text) { _ in }
            try console.emit(Output(text: text))
            return .done
        }
        let file = SpeechFile(try await app.synthesizer(choice))
        if output == StandardSound.word {
            guard !console.output.isTerminal else {
                throw UsageError("Standard output is a terminal. Pipe the sound on.", command: Self.specification)
            }
            try await StandardSound.write { _ = try await write(text, by: file, to: $0, console) }
            return .done
        }
        let duration = try await write(text, by: file, to: output, console)
        console.progress("\(duration.clock) of speech are in \(output.printable).")
        try console.emit(Output(text: text, file: output, seconds: duration / .seconds(1)))
        return .done
    }

    private func write(
        _ text: String, by file: SpeechFile, to path: String, _ console: Console
    ) async throws -> Duration {
        let status = StatusLine(console: console)
        defer { status.clear() }
        return try await file.write(text, to: path) {
            status.show(console.text("Speaking: \($0.clock) so far …" as Sentence))
        }
    }

    private struct Output: Encodable {
        let text: String
        var file: String?
        var seconds: Double?
    }
}
