// SPDX-License-Identifier: MIT

import Domain

/// The words of a command line as one text, in which `-` stands for what standard input has; all of it without words.
struct PipedText {
    /// How many bytes are taken from standard input.
    let limit: Int

    /// - Returns: nil when there are no words, and a person types standard input.
    func read(_ words: [String], from input: InputStream = InputStream()) throws -> String? {
        guard words.isEmpty || words.contains("-") else { return words.joined(separator: " ") }
        if input.isTerminal, words.isEmpty { return nil }
        guard let bytes = try input.readBytes(limit: limit) else {
            throw DomainError.invalidInput("Standard input is larger than \(limit / 1_000) kB. Send less of it.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError.file("Standard input is not text in UTF-8. Type the text, or pipe in a text file.")
        }
        guard words != ["-"], !words.isEmpty else { return text }
        return words.map { $0 == "-" ? text : $0 }.joined(separator: " ")
    }
}
