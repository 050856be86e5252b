// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence

/// The catalogue of cues in a shared database.
struct SQLCueCatalogue: CueCatalogueStore {
    private static let columns: SQL = "id, text, language, topic, level, hint, created_at"

    let database: any ServerDatabase

    func add(_ cues: [Cue]) async throws {
        try await database.write { writer in
            for cue in cues {
                try await writer.execute(
                    """
                    INSERT INTO cue (\(sql: Self.columns))
                    VALUES (\(cue.id.description), \(cue.text), \(cue.language.description), \(cue.topic), \(cue.level),
                        \(cue.hint), \(cue.createdAt))
                    ON CONFLICT (id) DO UPDATE SET text = excluded.text, language = excluded.language,
                        topic = excluded.topic, level = excluded.level, hint = excluded.hint,
                        created_at = excluded.created_at
                    """)
            }
        }
    }

    func remove(_ ids: [Identifier<Cue>]) async throws {
        try await database.write { writer in
            for id in ids { try await writer.execute("DELETE FROM cue WHERE id = \(id.description)") }
        }
    }

    func count() async throws -> Int {
        try await database.read { try await $0.first("SELECT count(*) AS number FROM cue", as: Int.self) ?? 0 }
    }

    func cue(_ id: Identifier<Cue>) async throws -> Cue? {
        try await database.read { rows in
            try await rows.first("SELECT \(sql: Self.columns) FROM cue WHERE id = \(id.description)", Self.cue)
        }
    }

    func page(_ query: CueQuery, after cursor: CueCursor?) async throws -> CuePage {
        let listed = try await database.read { rows in
            switch query.order {
            case .catalogue:
                var filter = Self.filter(query)
                if let cursor {
                    filter = "\(sql: filter) AND (created_at, id) > (\(cursor.sortKey), \(cursor.id.description))"
                }
                return try await rows.query(
                    """
                    SELECT \(sql: Self.columns) FROM cue WHERE \(sql: filter)
                    ORDER BY created_at, id LIMIT \(query.limit + 1)
                    """, Self.cue)
            case .shuffled(let seed):
                let ids = try await rows.query("SELECT id FROM cue WHERE \(sql: Self.filter(query))", Self.id)
                let chosen = Self.shuffled(ids, seed, after: cursor, limit: query.limit + 1)
                let found = try await rows.query(
                    "SELECT \(sql: Self.columns) FROM cue WHERE id IN \(list: chosen.map(\.description) + [""])",
                    Self.cue)
                let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
                return chosen.compactMap { byID[$0] }
            }
        }
        let cues = Array(listed.prefix(query.limit))
        let next = listed.count > cues.count ? cues.last.map { CueCursor(after: $0, in: query.order) } : nil
        return CuePage(cues: cues, next: next)
    }

    private static func shuffled(
        _ ids: [Identifier<Cue>], _ seed: UInt64, after cursor: CueCursor?, limit: Int
    ) -> [Identifier<Cue>] {
        let places = ids.map { (key: CueQuery.Order.sortKey(of: $0, seed: seed), id: $0) }
            .filter { place in cursor.map { ($0.sortKey, $0.id) < (place.key, place.id) } ?? true }
            .sorted { ($0.key, $0.id) < ($1.key, $1.id) }
        return places.prefix(limit).map(\.id)
    }

    /// The SQL filter of a query. A search without words finds nothing.
    private static func filter(_ query: CueQuery) -> SQL {
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
            filter = """
                \(sql: filter) AND words @@ plainto_tsquery(
                    'simple', regexp_replace(normalize(\(words.replacing("\0", with: " ")), NFD), '[\\u0300-\\u036F]', '', 'g'))
                """
        }
        return filter
    }

    private static func id(_ row: SQLRow) throws -> Identifier<Cue> {
        guard let id = Identifier<Cue>(try row["id"]) else { throw DomainError.unusable(.row("cue")) }
        return id
    }

    private static func cue(_ row: SQLRow) throws -> Cue {
        guard let language = LanguageTag(try row["language"]),
            let cue = Cue(
                id: try id(row), text: try row["text"], language: language, topic: try row["topic"],
                level: try row["level"], hint: try row["hint"], createdAt: try row["created_at"])
        else { throw DomainError.unusable(.row("cue")) }
        return cue
    }
}
