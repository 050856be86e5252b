// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// `parley embed`: turns texts into vectors.
struct EmbedCommand: Command {
    private static let text = Positional<[String]>(any: "TEXT", help: "A text; - reads lines instead")
    static let specification = CommandSpecification(
        path: ["embed"],
        summary: "Turn texts into vectors, a line each",
        discussion: """
            Each argument is a text. Without one, or with -, each line of standard input is.
            \(ModelOptions.discussion)
            """,
        positionals: [text],
        options: ModelOptions.options(.embeddings) + [dimensions])

    static let dimensions = ValueOption<Int>(
        "dimensions", placeholder: "N", help: "Ask for vectors of so many numbers (1 to 100000)", in: 1...100_000)

    private static let inputLimit = 64_000_000

    private let texts: [String]
    private let model: ModelOptions
    private let dimensions: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        texts = invocation[Self.text]
        model = ModelOptions(invocation, for: .embeddings)
        dimensions = invocation[Self.dimensions]
        guard texts.count == 1 || !texts.contains("-") else {
            throw UsageError("Give texts, or - alone.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let settings = try await model.settings(for: .embeddings, in: app)
        let texts = texts.isEmpty || texts == ["-"] ? try await Self.lines() : texts
        guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
            throw DomainError.invalidInput("The text is empty. Give a text to embed.")
        }
        let vectors = try await app.echo(settings).vectors(of: texts, model: settings.model, dimensions: dimensions)
        for (text, vector) in zip(texts, vectors) {
            if !console.isJSON { try console.output.write(vector.map { "\($0)" }.joined(separator: " ") + "\n") }
            try console.emit(Output(text: text, model: settings.model, vector: vector))
        }
        return .done
    }

    private static func lines() async throws -> [String] {
        guard let bytes = try await InputStream().readToEnd(limit: inputLimit) else {
            throw DomainError.invalidInput("Standard input is larger than 64 MB. Send it in parts.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError.file("Standard input is not text in UTF-8.")
        }
        return text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains { !$0.isWhitespace } }
    }

    private struct Output: Encodable {
        let text: String
        let model: String
        let vector: [Float]
    }
}
