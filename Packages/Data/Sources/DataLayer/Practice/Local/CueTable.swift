// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// The cues of a database, inside one transaction.
struct CueTable<Access: Connection> {
    let connection: Access

    private static var columns: SQL { "id, text, language, topic, level, hint, created_at" }

    func cue(_ id: Identifier<Cue>) throws -> Cue? {
        try connection.first("SELECT \(sql: Self.columns) FROM cue WHERE id = \(id.description)", Self.cue)
    }

    /// The cues of a query after a cursor: up to its limit and one more.
    func list(_ query: CueQuery, after cursor: CueCursor?) throws -> [Cue] {
        guard let filter = Self.filter(query) else { return [] }
        switch query.order {
        case .catalogue:
            return try connection.query(
                """
                SELECT \(sql: Self.columns) FROM cue WHERE \(sql: filter) AND \(sql: Self.isAfter(cursor))
                ORDER BY created_at, id LIMIT \(query.limit + 1)
                """, Self.cue)
        case .shuffled(let seed):
            var first = FirstShuffledCues(limit: query.limit + 1, after: cursor)
            // Only ids are read to find the order; then the few cues of the page.
            try forEachPlace(filter, seed) { first.add($0) }
            let numbers = first.places.map(\.number)
            let cues = try connection.query(
                "SELECT \(sql: Self.columns) FROM cue WHERE number IN \(list: numbers)", Self.cue)
            let byID = Dictionary(cues.map { ($0.id, $0) }) { first, _ in first }
            return first.places.compactMap { byID[$0.id] }
        }
    }

    /// The numbers and ids of the cues of a query between two cursors.
    func stretch(
        _ query: CueQuery, after cursor: CueCursor?, upTo end: CueCursor?
    ) throws -> [(number: Int64, id: Identifier<Cue>)] {
        guard let filter = Self.filter(query) else { return [] }
        switch query.order {
        case .catalogue:
            return try connection.query(
                """
                SELECT number, id FROM cue
                WHERE \(sql: filter) AND \(sql: Self.isAfter(cursor)) AND \(sql: Self.isUpTo(end))
                """
            ) { row in (try row["number", as: Int64.self], try Self.id(row)) }
        case .shuffled(let seed):
            var found: [(number: Int64, id: Identifier<Cue>)] = []
            try forEachPlace(filter, seed) { place in
                if cursor.map({ $0.isBefore(place) }) ?? true, !(end.map { $0.isBefore(place) } ?? false) {
                    found.append((place.number, place.id))
                }
            }
            return found
        }
    }

    /// Adds a cue, or replaces the one with its id.
    func store(_ cue: Cue) throws where Access == WritableConnection {
        let id = cue.id.description
        let old = try connection.first("SELECT number, \(sql: Self.columns) FROM cue WHERE id = \(id)") { row in
            (number: try row["number", as: Int64.self], cue: try Self.cue(row))
        }
        if let old, old.cue == cue.rounded { return }
        if let old { try remove(number: old.number) }
        try connection.execute(
            """
            INSERT INTO cue (id, text, language, topic, level, hint, created_at)
            VALUES (\(id), \(cue.text), \(cue.language.description), \(cue.topic), \(cue.level), \(cue.hint),
                \(cue.createdAt))
            """)
        // Not by a trigger: an untrusted schema may not write to a virtual table.
        try connection.execute(
            "INSERT INTO cue_text (rowid, text, hint) VALUES (\(connection.lastInsertedRowID), \(cue.text), \(cue.hint))"
        )
    }

    func remove(_ id: Identifier<Cue>) throws where Access == WritableConnection {
        let number = try connection.first("SELECT number FROM cue WHERE id = \(id.description)", as: Int64.self)
        if let number { try remove(number: number) }
    }

    func remove(number: Int64) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT INTO cue_text (cue_text, rowid, text, hint)
            SELECT 'delete', number, text, hint FROM cue WHERE number = \(number)
            """)
        try connection.execute("DELETE FROM cue WHERE number = \(number)")
    }

    private func forEachPlace(_ filter: SQL, _ seed: UInt64, _ body: (ShuffledPlace) -> Void) throws {
        try connection.forEach("SELECT number, id FROM cue WHERE \(sql: filter)") { row in
            let id = try Self.id(row)
            body(ShuffledPlace(sortKey: CueQuery.Order.sortKey(of: id, seed: seed), id: id, number: try row["number"]))
        }
    }

    /// The SQL filter of a query; `nil` for a query that never has a result.
    private static func filter(_ query: CueQuery) -> SQL? {
        var filter: SQL = "TRUE"
        if let language = query.language?.description {
            // All tags that begin with this one and a hyphen: "." follows "-".
            filter = """
                \(sql: filter) AND (language = \(language)
                    OR (language > \(language + "-") AND language < \(language + ".")))
                """
        }
        if let topic = query.topic { filter = "\(sql: filter) AND topic = \(topic)" }
        if let level = query.level { filter = "\(sql: filter) AND level = \(level)" }
        if let words = query.words {
            guard let pattern = FullTextPattern(allOf: words) else { return nil }
            filter = """
                \(sql: filter) AND number IN (SELECT rowid FROM cue_text WHERE cue_text MATCH \(pattern.expression))
                """
        }
        return filter
    }

    private static func isAfter(_ cursor: CueCursor?) -> SQL {
        guard let cursor else { return "TRUE" }
        return "(created_at, id) > (\(cursor.sortKey), \(cursor.id.description))"
    }

    private static func isUpTo(_ end: CueCursor?) -> SQL {
        guard let end else { return "TRUE" }
        return "(created_at, id) <= (\(end.sortKey), \(end.id.description))"
    }

    private static func id(_ row: borrowing Row) throws -> Identifier<Cue> {
        guard let id = try row.withText("id", { Identifier<Cue>(hexadecimal: $0) }) else {
            throw DomainError.unusable(.row("cue"))
        }
        return id
    }

    private static func cue(_ row: borrowing Row) throws -> Cue {
        guard let language = LanguageTag(try row["language"]),
            let cue = Cue(
                id: try id(row), text: try row["text"], language: language,
                topic: try row["topic"], level: try row["level"],
                hint: try row["hint"], createdAt: try row["created_at"])
        else { throw DomainError.unusable(.row("cue")) }
        return cue
    }
}

extension Cue {
    /// The cue as it is stored: its time in whole milliseconds.
    fileprivate var rounded: Cue? {
        let milliseconds = (createdAt.timeIntervalSince1970 * 1_000).rounded()
        return Cue(
            id: id, text: text, language: language, topic: topic, level: level, hint: hint,
            createdAt: Date(timeIntervalSince1970: milliseconds / 1_000))
    }
}
