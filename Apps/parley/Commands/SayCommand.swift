// SPDX-License-Identifier: MIT

import Domain

/// `parley say`: speaks a text.
struct SayCommand: Command {
    static let specification = CommandSpecification(
        path: ["say"],
        summary: "Speak a text aloud, or into a WAV file",
        positionals: [
            PositionalSpecification(name: "TEXT", arity: .oneOrMore, help: "What to say; quotes are optional")
        ],
        options: [
            OptionSpecification(
                name: "output", short: "o", value: "FILE", help: "Speak into a WAV file", completion: .files),
            OptionSpecification(
                name: "device", short: "d", value: "NAME", help: "Use this ALSA device (parley devices lists them)"),
            TalkCommand.voiceOption,
            OptionSpecification(
                name: "language", short: "l", value: "TAG", help: "Speak another language, by eSpeak NG: de, fr-fr, es"),
        ])

    private let text: String
    private let route: AudioRoute
    private let voice: Voice

    init(_ invocation: Invocation) throws(UsageError) {
        text = invocation.positionals.joined(separator: " ")
        route = AudioRoute(input: nil, output: invocation["output"], device: invocation["device"] ?? "default")
        if let language = invocation["language"] {
            guard invocation["voice"] == nil else {
                throw UsageError(
                    "--voice names an English voice and --language another one. Give one of them.",
                    command: invocation.command)
            }
            voice = .espeak(language: language)
        } else {
            voice = .flite(TalkCommand.voice(of: invocation))
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw UsageError("TEXT is empty.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.speaker(route, voice: voice).speak(text) { _, _ in }
        if let output = route.output { console.progress("The speech is in \(output.printable).") }
        try console.emit(["text": text])
        return .done
    }
}
