// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence

/// The rows of a database file that belongs to a person. They are deleted before the file, so that a program that has
/// it open no longer sends or shows them. A file that cannot be opened is left to the deletion of files.
public struct StoredRows: PersonalDataStore {
    private let path: String
    private let body: @Sendable (String) async throws -> [String: Int]

    /// Results, recordings, evaluations and waiting items of all accounts.
    public static func practice(path: String) -> StoredRows {
        StoredRows(path: path) { path in
            let database = try await PracticeDatabase(path: path)
            let counts: [String: Int]
            do { counts = try await database.eraseAll() } catch {
                await database.close()
                throw error
            }
            await database.close()
            return counts
        }
    }

    /// Questions and answers.
    public static func conversations(path: String) -> StoredRows {
        StoredRows(path: path) { path in
            ["messages": try await SQLiteConversationRepository(path: path, damage: .refuse).removeAll()]
        }
    }

    private init(path: String, _ body: @escaping @Sendable (String) async throws -> [String: Int]) {
        self.path = path
        self.body = body
    }

    /// See `PersonalDataStore`.
    public func erase() async throws -> [String: Int] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        do {
            return try await body(path)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return [:]
        }
    }
}

extension PracticeDatabase {
    /// Deletes all personal rows, of every account and of no account. Cues stay.
    func eraseAll() async throws -> [String: Int] {
        try await write { connection in
            var counts: [String: Int] = [:]
            let tables: [(SQL, String?)] =
                SyncedKind.all.map { ($0.table, $0.plural) } + [
                    ("evaluation", "evaluations"), ("outbox_item", "waiting"), ("upload_held", "held"),
                    ("practice_change", nil),
                    ("evaluation_awaited", nil), ("pulled", nil), ("pull_skipped", nil), ("upload_consent", nil),
                    ("outbox_done", nil), ("runtime_config", nil), ("installation", nil),
                ]
            for (table, name) in tables {
                try connection.execute("DELETE FROM \(sql: table)")
                if let name { counts[name] = connection.changes }
            }
            return counts
        }
    }
}
