// SPDX-License-Identifier: MIT

/// What to look for in an FTS5 table, made of a person's words: no text of theirs is an operator or a syntax error
/// (sqlite.org/fts5.html §3).
public struct FullTextPattern: Sendable, Equatable {
    /// The right side of `MATCH`.
    public let expression: String

    /// Finds what has every word, in any order and column.
    ///
    /// - Parameters:
    ///   - text: The words; what separates them is white space.
    ///   - completesLastWord: Whether the last word may be the beginning of one, for a search while typing.
    /// - Returns: Nil when there is no word in the text.
    public init?(allOf text: String, completesLastWord: Bool = false) {
        self.init(Self.words(in: text), joinedBy: " ", completesLastWord)
    }

    /// Finds what has one of the words or more.
    ///
    /// - Returns: Nil when there is no word in the text.
    public init?(anyOf text: String, completesLastWord: Bool = false) {
        self.init(Self.words(in: text), joinedBy: " OR ", completesLastWord)
    }

    /// Finds the words one after another.
    ///
    /// - Returns: Nil when there is no word in the text.
    public init?(phrase text: String) {
        let words = Self.words(in: text)
        self.init(words.isEmpty ? [] : [words.joined(separator: " ")], joinedBy: " ", false)
    }

    private init?(_ phrases: [String], joinedBy separator: String, _ completesLast: Bool) {
        guard !phrases.isEmpty else { return nil }
        let quoted = phrases.map(Self.quoted)
        expression = quoted.joined(separator: separator) + (completesLast ? "*" : "")
    }

    /// Inside quotes, nothing but a quote has a meaning, and a doubled one stands for itself. By scalars: a quote under a
    /// combining accent is no `Character` of its own.
    private static func quoted(_ phrase: String) -> String {
        var scalars = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in phrase.unicodeScalars {
            scalars.append(scalar)
            if scalar == "\"" { scalars.append(scalar) }
        }
        scalars.append("\"")
        return String(scalars)
    }

    /// SQLite reads a pattern up to a NUL, which would leave a quote open. A word without letters and digits has no token.
    private static func words(in text: String) -> [String] {
        text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
            .filter { $0.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .map { String(String.UnicodeScalarView($0)) }
    }
}
