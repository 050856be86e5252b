// SPDX-License-Identifier: MIT

import DataLayer
import Domain

/// `parley transcribe`: writes down what is said in sound files.
struct TranscribeCommand: Command {
    static let specification = CommandSpecification(
        path: ["transcribe"],
        summary: "Write down the question that is spoken in each sound file",
        discussion: """
            The recogniser knows questions about US states and turns everything else down. The exit code is that of the
            first file that failed; the others are transcribed all the same.
            """,
        positionals: [
            PositionalSpecification(
                name: "FILE", arity: .oneOrMore, help: "WAV, FLAC, Ogg or another file that libsndfile reads",
                completion: .files)
        ])

    private let files: [String]

    init(_ invocation: Invocation) throws(UsageError) {
        files = invocation.positionals
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let transcriber = try await app.transcriber()
        var code = ExitCode.done
        for file in files {
            do {
                let transcript = try await transcriber.transcribe(file)
                try console.show(files.count > 1 ? "\(file.printable): \(transcript.text)" : transcript.text)
                try console.emit(
                    TranscriptOutput(file: file, transcript: transcript.text, confidence: transcript.confidence))
            } catch let error as DomainError {
                if code == .done { code = ExitCode(for: error) }
                if console.isJSON {
                    try console.emit(
                        FailureOutput(file: file, error: ErrorReport(code: error.code, message: error.message)))
                } else {
                    console.progress("\(file.printable): \(error.message)")
                }
            }
        }
        return code
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
