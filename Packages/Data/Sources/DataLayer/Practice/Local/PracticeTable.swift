// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Persistence
import PracticeWire

/// One owner's results, inside one transaction.
struct PracticeTable<Access: Connection> {
    let connection: Access
    let owner: String

    private static var columns: SQL { "id, cue, cue_text, language, recording, practised_at, day, rating, evaluation" }

    /// Stores a result, unless its id exists or has a tombstone; true if it was new.
    func store(_ result: PracticeResult) throws -> Bool where Access == WritableConnection {
        guard try !isDeleted(result.id) else { return false }
        let evaluation = try result.evaluation.map { try StoredJSON.text(EvaluationDTO($0)) }
        try connection.execute(
            """
            INSERT OR IGNORE INTO practice_result
                (owner, id, cue, cue_text, language, recording, practised_at, day, rating, evaluation, size)
            VALUES (\(owner), \(result.id.description), \(result.cue.description), \(result.cueText),
                \(result.language.description), \(result.recording?.description), \(result.practisedAt),
                \(result.day.dayNumber), \(result.rating.rawValue), \(evaluation),
                \(Self.rowSize + result.cueText.utf8.count + (evaluation?.utf8.count ?? 0)))
            """)
        guard connection.changes == 1 else { return false }
        try note(result.id, isDeleted: false)
        return true
    }

    /// The approximate size of a row without its texts, in bytes.
    private static var rowSize: Int { 256 }

    /// The number of results, and their bytes.
    func usage() throws -> (results: Int, bytes: Int) {
        try connection.first(
            "SELECT count(*) AS results, coalesce(sum(size), 0) AS bytes FROM practice_result WHERE owner = \(owner)"
        ) { (try $0["results", as: Int.self], try $0["bytes", as: Int.self]) } ?? (0, 0)
    }

    /// Deletes the oldest tombstones above a limit.
    func compactDeletions(to limit: Int) throws where Access == WritableConnection {
        try connection.execute(
            """
            DELETE FROM practice_change WHERE owner = \(owner) AND is_deleted AND number <= (
                SELECT number FROM practice_change WHERE owner = \(owner) AND is_deleted
                ORDER BY number DESC LIMIT 1 OFFSET \(limit))
            """)
    }

    func result(_ id: Identifier<PracticeResult>) throws -> PracticeResult? {
        try connection.first(
            """
            SELECT \(sql: Self.columns) FROM practice_result WHERE owner = \(owner) AND id = \(id.description)
            """, Self.result)
    }

    /// The results of a query after a cursor: as many as its limit and ``PageBudget`` allow.
    func list(_ query: PracticeQuery, after cursor: PracticeCursor?) throws
        -> (results: [PracticeResult], hasMore: Bool)
    {
        var filter: SQL = "owner = \(owner)"
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
        var results: [PracticeResult] = []
        let budget = PageBudget(limit: query.limit)
        let hasMore = try budget.fill { admit in
            try connection.forEach(
                """
                SELECT \(sql: Self.columns) FROM practice_result WHERE \(sql: filter)
                ORDER BY practised_at DESC, id DESC LIMIT \(query.limit + 1)
                """
            ) { row in
                try admit(Self.size(row))
                results.append(try Self.result(row))
            }
        }
        return (results, hasMore)
    }

    private static func size(_ row: borrowing Row) throws -> Int {
        rowSize + (try row["cue_text", as: String.self].utf8.count)
            + (try row["evaluation", as: String?.self]?.utf8.count ?? 0)
    }

    func delete(_ id: Identifier<PracticeResult>) throws -> Bool where Access == WritableConnection {
        try connection.execute(
            "DELETE FROM practice_result WHERE owner = \(owner) AND id = \(id.description)")
        guard connection.changes > 0 else { return false }
        try note(id, isDeleted: true)
        return true
    }

    /// Deletes a result that another device has deleted, also one that has not arrived yet; true if it existed here.
    func deleteForGood(_ id: Identifier<PracticeResult>) throws -> Bool where Access == WritableConnection {
        if try delete(id) { return true }
        try note(id, isDeleted: true)
        return false
    }

    private func isDeleted(_ id: Identifier<PracticeResult>) throws -> Bool {
        try connection.first(
            "SELECT is_deleted FROM practice_change WHERE owner = \(owner) AND id = \(id.description)", as: Bool.self)
            ?? false
    }

    /// Notes a change, which gets the highest number.
    private func note(_ id: Identifier<PracticeResult>, isDeleted: Bool) throws where Access == WritableConnection {
        try connection.execute(
            """
            INSERT OR REPLACE INTO practice_change (owner, id, is_deleted)
            VALUES (\(owner), \(id.description), \(isDeleted))
            """)
    }

    /// The changes after a cursor, in their order.
    func changes(after cursor: Int64, limit: Int) throws -> PracticeChanges {
        // A cursor from an earlier database file is invalid; restart from 0.
        let last = try connection.first(
            "SELECT seq FROM sqlite_sequence WHERE name = 'practice_change'", as: Int64.self)
        let start = cursor > last ?? 0 ? 0 : cursor
        let listed = try connection.query(
            """
            SELECT number, id, is_deleted FROM practice_change
            WHERE owner = \(owner) AND number > \(start) ORDER BY number LIMIT \(limit + 1)
            """
        ) { row in
            (
                number: try row["number", as: Int64.self], id: try row["id", as: String.self],
                isDeleted: try row["is_deleted", as: Bool.self]
            )
        }
        var changes = PracticeChanges(next: start, hasMore: false)
        let budget = PageBudget(limit: limit)
        changes.hasMore = try budget.fill { admit in
            for change in listed {
                guard let id = Identifier<PracticeResult>(change.id) else { throw DomainError.unusable(.row("change")) }
                if change.isDeleted {
                    try admit(Self.rowSize)
                    changes.deleted.append(id)
                } else {
                    let found = try connection.first(
                        """
                        SELECT \(sql: Self.columns) FROM practice_result WHERE owner = \(owner) AND id = \(change.id)
                        """
                    ) { row in
                        try admit(Self.size(row))
                        return try Self.result(row)
                    }
                    if let found { changes.results.append(found) }
                }
                changes.next = change.number
            }
        }
        return changes
    }

    private static func result(_ row: borrowing Row) throws -> PracticeResult {
        guard let id = Identifier<PracticeResult>(try row["id"]), let cue = Identifier<Cue>(try row["cue"]),
            let language = LanguageTag(try row["language"]), let day = CalendarDate(dayNumber: try row["day"]),
            let rating = ReviewRating(rawValue: try row["rating"])
        else { throw DomainError.unusable(.row("result")) }
        let recording = try row["recording", as: String?.self].map { text in
            guard let id = Identifier<Recording>(text) else { throw DomainError.unusable(.row("result")) }
            return id
        }
        let evaluation = try row["evaluation", as: String?.self].map { try StoredJSON.evaluation($0) }
        return PracticeResult(
            id: id, cue: cue, cueText: try row["cue_text"], language: language, recording: recording,
            practisedAt: try row["practised_at"], day: day, rating: rating, evaluation: evaluation)
    }
}

/// Values that are stored as their JSON on the wire.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    static func evaluation(_ text: String) throws -> Evaluation {
        do {
            return try WireJSON.decode(EvaluationDTO.self, from: Array(text.utf8)).evaluation()
        } catch {
            throw DomainError.unusable(.row("evaluation"))
        }
    }
}
