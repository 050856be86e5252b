// SPDX-License-Identifier: MIT

/// A row that a full-text search found.
public struct FullTextMatch: Sendable, Equatable {
    /// The row's ID in the FTS5 table.
    public let rowID: Int64
    /// Okapi BM25 (sqlite.org/fts5.html §5.1.1): the less, the better; negative.
    public let rank: Double
    /// A part of the text around the matches.
    public let snippet: String
}

/// What a search shows of each match.
public struct FullTextSnippet: Sendable {
    /// The column's number from 0; nil takes the one that fits best.
    public var column: Int?
    /// Put before each match, `[` by default.
    public var opening: String
    /// Put after each match, `]` by default.
    public var closing: String
    /// How many tokens there are at most: 1 to 64, 16 by default.
    public var tokens: Int

    /// A snippet.
    public init(column: Int? = nil, opening: String = "[", closing: String = "]", tokens: Int = 16) {
        self.column = column
        self.opening = opening
        self.closing = closing
        self.tokens = tokens
    }
}

extension Connection {
    /// Searches an FTS5 table, best match first; of two that are as good, the older row.
    ///
    /// - Parameters:
    ///   - table: The table's name.
    ///   - pattern: What to look for.
    ///   - weights: How much a match counts in each column, from the first; 1 where nothing is said.
    ///   - snippet: What to show of each match.
    ///   - limit: How many to find at most.
    ///   - offset: How many to leave out.
    /// - Throws: ``DatabaseError`` with `invalidSQL` when there is no such FTS5 table.
    public func search(
        _ table: StaticString, for pattern: FullTextPattern, weights: [Double] = [], snippet: FullTextSnippet = .init(),
        limit: Int, offset: Int = 0
    ) throws -> [FullTextMatch] {
        let rank = weights.reduce("bm25(\(literal: table)" as SQL) { "\(sql: $0), \($1)" }
        let tokens = min(max(snippet.tokens, 1), 64)
        return try query(
            """
            SELECT rowid, \(sql: rank)) AS rank_of_match,
                snippet(\(literal: table), \(snippet.column ?? -1), \(snippet.opening), \(snippet.closing), '…', \(tokens)) AS snippet
            FROM \(literal: table) WHERE \(literal: table) MATCH \(pattern.expression)
            ORDER BY rank_of_match, rowid LIMIT \(max(0, limit)) OFFSET \(max(0, offset))
            """
        ) { row in
            FullTextMatch(rowID: try row["rowid"], rank: try row["rank_of_match"], snippet: try row["snippet"] ?? "")
        }
    }
}
