// SPDX-License-Identifier: MIT

/// A pattern for an FTS5 table, made of a person's words: no text of theirs is an operator or a syntax error
/// (sqlite.org/fts5.html §3).
public struct FullTextPattern: Sendable, Equatable {
    /// The right side of `MATCH`.
    public let expression: String

    /// Finds rows that have every word, in any order and column.
    ///
    /// - Parameters:
    ///   - text: The words, separated by white space.
    ///   - completesLastWord: True if the last word may be the beginning of one, for a search while typing.
    /// - Returns: Nil if the text has no word.
    public init?(allOf text: String, completesLastWord: Bool = false) {
        self.init(Self.words(in: text), joinedBy: " ", completesLastWord)
    }

    /// Finds rows that have one of the words or more.
    ///
    /// - Returns: Nil if the text has no word.
    public init?(anyOf text: String, completesLastWord: Bool = false) {
        self.init(Self.words(in: text), joinedBy: " OR ", completesLastWord)
    }

    /// Finds the words one after another.
    ///
    /// - Returns: Nil if the text has no word.
    public init?(phrase text: String) {
        let words = Self.words(in: text)
        self.init(words.isEmpty ? [] : [words.joined(separator: " ")], joinedBy: " ", false)
    }

    private init?(_ phrases: [String], joinedBy separator: String, _ completesLast: Bool) {
        guard !phrases.isEmpty else { return nil }
        let quoted = phrases.map(Self.quoted)
        expression = quoted.joined(separator: separator) + (completesLast ? "*" : "")
    }

    /// Inside quotes, nothing but a quote has a meaning, and a doubled one stands for itself. By scalars: a quote under
    /// a combining accent is no `Character` of its own.
    private static func quoted(_ phrase: String) -> String {
        var scalars = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in phrase.unicodeScalars {
            scalars.append(scalar)
            if scalar == "\"" { scalars.append(scalar) }
        }
        scalars.append("\"")
        return String(scalars)
    }

    /// SQLite reads a pattern up to a NUL, which would leave a quote open. A word without letters and digits has no
    /// token.
    private static func words(in text: String) -> [String] {
        text.unicodeScalars.split { $0.properties.isWhitespace || $0 == "\0" }
            .filter { $0.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil } }
            .map { String(String.UnicodeScalarView($0)) }
    }
}

/// A row that a full-text search found.
public struct FullTextMatch: Sendable, Equatable {
    /// The row's ID in the FTS5 table.
    public let rowID: Int64
    /// Okapi BM25 (sqlite.org/fts5.html §5.1.1): the less, the better; negative.
    public let rank: Double
}

extension Connection {
    /// Searches an FTS5 table, best match first; of two with the same rank, the older row.
    ///
    /// - Parameters:
    ///   - table: The table's name.
    ///   - pattern: The pattern to search for.
    ///   - weights: The weight of a match in each column, from the first; 1 for columns without one.
    ///   - limit: The most matches to return.
    ///   - offset: The number of matches to skip.
    /// - Throws: ``DatabaseError`` with `invalidSQL` if the FTS5 table does not exist.
    public func search(
        _ table: StaticString, for pattern: FullTextPattern, weights: [Double] = [], limit: Int, offset: Int = 0
    ) throws -> [FullTextMatch] {
        let rank = weights.reduce("bm25(\(literal: table)" as SQL) { "\(sql: $0), \($1)" }
        return try query(
            """
            SELECT rowid, \(sql: rank)) AS rank_of_match FROM \(literal: table)
            WHERE \(literal: table) MATCH \(pattern.expression)
            ORDER BY rank_of_match, rowid LIMIT \(max(0, limit)) OFFSET \(max(0, offset))
            """
        ) { row in FullTextMatch(rowID: try row["rowid"], rank: try row["rank_of_match"]) }
    }
}
