// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import Persistence
import PracticeWire

/// The results of one account in a shared database.
struct SQLAccountResults: AccountResults {
    private static let columns: SQL =
        "id, cue, cue_text, language, recording, practised_at, day, rating, evaluation"
    /// The approximate size of a row without its texts, in bytes.
    private static let rowSize = 256
    /// The most rows of one statement.
    private static let batch = 100

    let database: any ServerDatabase
    let account: String
    let quota: PracticeQuota

    func store(_ results: [PracticeResult]) async throws { _ = try await insertReturningNew(results) }

    func insertReturningNew(_ results: [PracticeResult]) async throws -> Set<Identifier<PracticeResult>> {
        var items: [Item] = []
        var seen: Set<Identifier<PracticeResult>> = []
        for result in results where seen.insert(result.id).inserted { items.append(try Item(result)) }
        let given = items
        return try await database.write { writer in
            var new: [Item] = []
            for start in stride(from: 0, to: given.count, by: Self.batch) {
                let part = given[start..<min(start + Self.batch, given.count)]
                // A result that is stored has a change, and so has one that was deleted.
                let known = Set(
                    try await writer.query(
                        """
                        SELECT id FROM practice_change
                        WHERE account = \(account) AND id IN \(list: part.map { $0.result.id.description })
                        """, as: String.self))
                new += part.filter { !known.contains($0.result.id.description) }
            }
            guard !new.isEmpty else { return [] }
            let bytes = new.reduce(0) { $0 + $1.size }
            let counted = try await count(new.count, bytes, changes: new.count, writer)
            try quota.check((counted.results, counted.bytes))
            for start in stride(from: 0, to: new.count, by: Self.batch) {
                let part = Array(new[start..<min(start + Self.batch, new.count)])
                try await writer.execute(
                    """
                    INSERT INTO practice_result (\(sql: Self.columns), account, size)
                    VALUES \(sql: Self.list(part.map { $0.values(of: account) }))
                    """)
                let changes: [SQL] = part.enumerated().map { index, item in
                    "(\(account), \(item.result.id.description), \(counted.first + Int64(start + index)), 0)"
                }
                try await writer.execute(
                    "INSERT INTO practice_change (account, id, number, is_deleted) VALUES \(sql: Self.list(changes))")
            }
            return Set(new.map(\.result.id))
        }
    }

    func result(_ id: Identifier<PracticeResult>) async throws -> PracticeResult? {
        try await database.read { try await result(id.description, $0) }
    }

    func page(_ query: PracticeQuery, after cursor: PracticeCursor?) async throws -> PracticePage {
        let filter = filter(query, after: cursor)
        return try await database.read { rows in
            let found = try await rows.rows(
                """
                SELECT \(sql: Self.columns) FROM practice_result WHERE \(sql: filter)
                ORDER BY practised_at DESC, id DESC LIMIT \(query.limit + 1)
                """)
            var results: [PracticeResult] = []
            let hasMore = try PageBudget(limit: query.limit).fill { admit in
                for row in found {
                    try admit(Self.size(row))
                    results.append(try Self.result(row))
                }
            }
            let next = hasMore ? results.last.map(PracticeCursor.init(after:)) : nil
            return PracticePage(results: results, next: next)
        }
    }

    func changes(after cursor: Int64, limit: Int) async throws -> PracticeChanges {
        let limit = max(1, limit)
        return try await database.read { rows in
            // A cursor from an earlier database is invalid; restart from 0.
            let last = try await rows.first(
                "SELECT last_change FROM practice_account WHERE account = \(account)", as: Int64.self)
            let start = cursor > last ?? 0 ? 0 : cursor
            let listed = try await rows.query(
                """
                SELECT number, id, is_deleted FROM practice_change
                WHERE account = \(account) AND number > \(start) ORDER BY number LIMIT \(limit + 1)
                """
            ) { row in
                (
                    number: try row["number", as: Int64.self], id: try row["id", as: String.self],
                    isDeleted: try row["is_deleted", as: Bool.self]
                )
            }
            let stored = Dictionary(
                try await rows.query(
                    """
                    SELECT \(sql: Self.columns) FROM practice_result
                    WHERE account = \(account) AND id IN \(list: listed.map(\.id) + [""])
                    """
                ) { (try $0["id", as: String.self], $0) }, uniquingKeysWith: { first, _ in first })
            var changes = PracticeChanges(next: start, hasMore: false)
            changes.hasMore = try PageBudget(limit: limit).fill { admit in
                for change in listed {
                    guard let id = Identifier<PracticeResult>(change.id) else {
                        throw DomainError.unusable(.row("change"))
                    }
                    if change.isDeleted {
                        try admit(Self.rowSize)
                        changes.deleted.append(id)
                    } else if let row = stored[change.id] {
                        try admit(Self.size(row))
                        changes.results.append(try Self.result(row))
                    }
                    changes.next = change.number
                }
            }
            return changes
        }
    }

    func delete(_ id: Identifier<PracticeResult>) async throws -> Bool {
        try await database.write { writer in
            let size = try await writer.first(
                "DELETE FROM practice_result WHERE account = \(account) AND id = \(id.description) RETURNING size",
                as: Int.self)
            guard let size else { return false }
            let counted = try await count(-1, -size, changes: 1, writer)
            try await writer.execute(
                """
                UPDATE practice_change SET number = \(counted.first), is_deleted = 1
                WHERE account = \(account) AND id = \(id.description)
                """)
            try await writer.execute(
                """
                DELETE FROM practice_change WHERE account = \(account) AND is_deleted = 1 AND number <= (
                    SELECT number FROM practice_change WHERE account = \(account) AND is_deleted = 1
                    ORDER BY number DESC LIMIT 1 OFFSET \(quota.deletions))
                """)
            return true
        }
    }

    // MARK: Numbers

    /// Counts results and bytes, and takes numbers for changes; the account's row lets one transaction at a time do so.
    nonisolated(nonsending) private func count(
        _ results: Int, _ bytes: Int, changes: Int, _ writer: any SQLWriter
    ) async throws -> (first: Int64, results: Int, bytes: Int) {
        let known = try await writer.first(
            "SELECT last_change, results, bytes FROM practice_account WHERE account = \(account)"
        ) {
            (
                last: try $0["last_change", as: Int64.self], results: try $0["results", as: Int.self],
                bytes: try $0["bytes", as: Int.self]
            )
        }
        let time = try await writer.first("SELECT \(sql: writer.now) AS now", as: Int64.self) ?? 0
        // Not below the time, in microseconds: after a restored backup, numbers are above those that devices know.
        let first = max((known?.last ?? 0) + 1, time * 1_000)
        let counted = (results: (known?.results ?? 0) + results, bytes: (known?.bytes ?? 0) + bytes)
        try await writer.execute(
            """
            INSERT INTO practice_account (account, last_change, results, bytes)
            VALUES (\(account), \(first + Int64(changes) - 1), \(counted.results), \(counted.bytes))
            ON CONFLICT (account) DO UPDATE SET last_change = excluded.last_change, results = excluded.results,
                bytes = excluded.bytes
            """)
        return (first, counted.results, counted.bytes)
    }

    // MARK: Rows

    /// A result with its row's size.
    private struct Item: Sendable {
        let result: PracticeResult
        let evaluation: String?
        let size: Int

        init(_ result: PracticeResult) throws {
            self.result = result
            evaluation = try result.evaluation.map {
                String(decoding: try WireJSON.encode(EvaluationDTO($0)), as: UTF8.self)
            }
            size = SQLAccountResults.rowSize + result.cueText.utf8.count + (evaluation?.utf8.count ?? 0)
        }

        func values(of account: String) -> SQL {
            """
            (\(result.id.description), \(result.cue.description), \(result.cueText), \(result.language.description),
                \(result.recording?.description), \(result.practisedAt), \(result.day.dayNumber),
                \(result.rating.rawValue), \(evaluation), \(account), \(size))
            """
        }
    }

    private static func list(_ parts: [SQL]) -> SQL {
        parts.dropFirst().reduce(parts.first ?? "") { "\(sql: $0), \(sql: $1)" }
    }

    nonisolated(nonsending) private func result(_ id: String, _ rows: any SQLReader) async throws -> PracticeResult? {
        try await rows.first(
            "SELECT \(sql: Self.columns) FROM practice_result WHERE account = \(account) AND id = \(id)", Self.result)
    }

    private func filter(_ query: PracticeQuery, after cursor: PracticeCursor?) -> SQL {
        var filter: SQL = "account = \(account)"
        if let cue = query.cue { filter = "\(sql: filter) AND cue = \(cue.description)" }
        if let language = query.language?.description {
            filter = """
                \(sql: filter) AND (language = \(language)
                    OR (language > \(language + "-") AND language < \(language + ".")))
                """
        }
        if !query.ratings.isEmpty {
            filter = "\(sql: filter) AND rating IN \(list: query.ratings.map(\.rawValue).sorted())"
        }
        if let since = query.since { filter = "\(sql: filter) AND day >= \(since.dayNumber)" }
        if let until = query.until { filter = "\(sql: filter) AND day <= \(until.dayNumber)" }
        if let cursor {
            filter = "\(sql: filter) AND (practised_at, id) < (\(cursor.time), \(cursor.id.description))"
        }
        return filter
    }

    private static func size(_ row: SQLRow) throws -> Int {
        rowSize + (try row["cue_text", as: String.self].utf8.count)
            + (try row["evaluation", as: String?.self]?.utf8.count ?? 0)
    }

    private static func result(_ row: SQLRow) throws -> PracticeResult {
        guard let id = Identifier<PracticeResult>(try row["id"]), let cue = Identifier<Cue>(try row["cue"]),
            let language = LanguageTag(try row["language"]), let day = CalendarDate(dayNumber: try row["day"]),
            let rating = ReviewRating(rawValue: try row["rating"])
        else { throw DomainError.unusable(.row("result")) }
        let recording = try row["recording", as: String?.self].map { text in
            guard let id = Identifier<Recording>(text) else { throw DomainError.unusable(.row("result")) }
            return id
        }
        let evaluation = try row["evaluation", as: String?.self].map {
            try WireJSON.decode(EvaluationDTO.self, from: Array($0.utf8)).evaluation()
        }
        return PracticeResult(
            id: id, cue: cue, cueText: try row["cue_text"], language: language, recording: recording,
            practisedAt: try row["practised_at"], day: day, rating: rating, evaluation: evaluation)
    }
}
