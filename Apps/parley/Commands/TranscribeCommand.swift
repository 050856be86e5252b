// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataVoice
import Domain
import TerminalKit

/// `parley transcribe`: writes the transcript of sound files.
struct TranscribeCommand: Command {
    private static let file = Positional<[String]>(
        oneOrMore: "FILE", help: "WAV, FLAC, Ogg or another file that libsndfile reads", completion: .files)
    private static let engine = ValueOption<String>(
        "engine", placeholder: "NAME", help: "Hear by this engine (parley speech list), or local for this machine")
    static let specification = CommandSpecification(
        path: ["transcribe"],
        summary: "Write down the questions that are spoken in each sound file",
        discussion: """
            Each question is a line. The engine in use hears (parley speech use NAME), and is sent what our own voice activity
            detector takes for speech. This machine's recogniser knows questions about US states and turns everything else
            down; --dictation offline has words for all speech, many of them wrong. The exit code is that of the first thing
            that failed; all others are written down all the same. - stands for a sound file on standard input.
            """,
        positionals: [file],
        options: [engine, Dictation.option])

    private let files: [String]
    private let engine: String?
    private let dictation: Dictation?

    init(_ invocation: Invocation) throws(UsageError) {
        files = invocation[Self.file]
        engine = invocation[Self.engine]
        dictation = invocation[Dictation.option]
        guard engine == nil || dictation == nil else {
            throw invocation.error("Either an --engine hears, or --dictation. Leave one out.")
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let transcriber = try await app.transcriber(engine, dictation: dictation)
        var code = ExitCode.done
        for file in files {
            var path = file
            do {
                path = try await StandardSound.path(file)
                try await transcriber.transcribeAll(path) { utterance in
                    switch utterance {
                    case .success(let transcript): try show(transcript, in: file, console)
                    case .failure(let error):
                        if code == .done { code = ExitCode(for: error) }
                        try show(error, in: file, openedAs: path, console)
                    }
                }
            } catch let error as DomainError {
                if code == .done { code = ExitCode(for: error) }
                try show(error, in: file, openedAs: path, console)
            }
        }
        return code
    }

    private func show(_ transcript: Transcript, in file: String, _ console: Console) throws {
        try console.show(files.count > 1 ? "\(file.printable): \(transcript.text)" : transcript.text)
        try console.emit(
            TranscriptOutput(file: file, transcript: transcript.text, confidence: transcript.confidence))
    }

    private func show(_ error: DomainError, in file: String, openedAs path: String, _ console: Console) throws {
        let sentence = error.sentence(naming: file, openedAs: path)
        if !console.isJSON { console.progress("\(file.printable): \(sentence)") }
        try console.emit(FailureOutput(file: file, error: ErrorReport(code: error.code, sentence)))
    }

    private struct TranscriptOutput: Encodable {
        let file: String
        let transcript: String
        let confidence: Double
    }

    private struct FailureOutput: Encodable {
        let file: String
        let error: ErrorReport
    }
}
