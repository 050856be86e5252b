// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataVoice
import Domain

/// `parley transcribe`: writes the transcript of sound files.
struct TranscribeCommand: Command {
    private static let file = Positional<[String]>(
        oneOrMore: "FILE", help: "WAV, FLAC, Ogg or another file that libsndfile reads", completion: .files)
    static let specification = CommandSpecification(
        path: ["transcribe"],
        summary: "Write down the questions that are spoken in each sound file",
        discussion: """
            Each question is a line. The recogniser knows questions about US states and turns everything else down. The exit
            code is that of the first thing that failed; all others are written down all the same. - stands for a sound file
            on standard input.
            """,
        positionals: [file])

    private let files: [String]

    init(_ invocation: Invocation) throws(UsageError) {
        files = invocation[Self.file]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let transcriber = try await app.transcriber()
        var code = ExitCode.done
        for file in files {
            var path = file
            do {
                path = try StandardSound.path(file)
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
        let message = error.message(naming: file, openedAs: path)
        if !console.isJSON { console.progress("\(file.printable): \(message)") }
        try console.emit(FailureOutput(file: file, error: ErrorReport(code: error.code, message: message)))
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
