// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Persistence

/// Copies one unchanging state of a shared database into the files of a new home, while instances use it.
enum SharedSnapshot {
    /// Mails that wait and uploads that are unfinished are no part of a backup, which counts what is left.
    private static let left: Set<String> = ["letter", "notification", "recording_usage", "upload"]

    /// Changes of a shared database are numbered within an account.
    private static let incoming = TransferTable.Shape(
        source: "incoming_change", columns: "owner, id, number, is_deleted", key: "owner, id")

    /// - Parameter folder: A folder without databases.
    /// - Throws: ``TransferError/differs(_:)``, or the errors of the databases.
    static func copy(_ source: PostgresServerDatabase, to folder: String) async throws {
        await (try ServerStorage.open(home: folder, clock: .system)).close()
        var files: [TransferTable.File: SQLiteServerDatabase] = [:]
        try await withCleanup {
            for file in TransferTable.File.allCases {
                let database = try await Database(at: "\(folder)/\(file.rawValue).sqlite")
                files[file] = SQLiteServerDatabase(database: database, clock: .system)
            }
            try await files[.practice]?.write { writer in
                try await writer.execute(
                    """
                    CREATE TABLE incoming_change (
                        owner TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, is_deleted INTEGER NOT NULL,
                        PRIMARY KEY (owner, id)
                    ) STRICT
                    """)
            }
            let targets = files
            try await source.read { reader in
                // The closure may run again.
                for table in tables.reversed() {
                    let place = rows(of: table)
                    _ = try await targets[table.file]?.write(durability: .normal) {
                        try await $0.execute("DELETE FROM \(sql: place.shape.source)")
                    }
                }
                for table in tables {
                    if let target = targets[table.file] { try await copy(table, reader, to: target) }
                }
            }
            try await files[.practice]?.write { try await finishPractice($0) }
        } cleanup: {
            for file in files.values { await file.close() }
        }
    }

    private static var tables: [TransferTable] {
        TransferTable.all.filter { !$0.isDerived && !left.contains($0.name) }
    }

    private static func rows(of table: TransferTable) -> TransferRows {
        TransferRows(table, table.name == "practice_change" ? incoming : table.home, isShared: false)
    }

    nonisolated(nonsending) private static func copy(
        _ table: TransferTable, _ reader: any SQLReader, to target: SQLiteServerDatabase
    ) async throws {
        let (old, new) = (TransferRows(table, isShared: true), rows(of: table))
        var sum = try TransferSum()
        var last: [SQLValue]?
        while true {
            let rows = try await old.page(after: last, reader)
            guard let end = rows.last else { break }
            for row in rows { try sum.add(row) }
            try await target.write(durability: .normal) { try await new.insert(rows, $0) }
            last = old.key(of: end)
        }
        guard try await target.read({ try await new.sum($0) }) == sum else { throw TransferError.differs(table.name) }
    }

    /// Gives changes numbers that no two accounts share, and fills the index of words.
    ///
    /// A number is never below its old one, and the order stays: a device gets every change that it has not seen, and some
    /// of the others again.
    nonisolated(nonsending) private static func finishPractice(_ writer: any SQLWriter) async throws {
        try await writer.execute(
            """
            INSERT INTO practice_change (number, owner, id, is_deleted)
            SELECT place + max(number - place) OVER (ORDER BY place), owner, id, is_deleted
            FROM (SELECT *, row_number() OVER (ORDER BY number, owner, id) AS place FROM incoming_change)
            ORDER BY place
            """)
        try await writer.execute("DROP TABLE incoming_change")
        try await writer.execute("INSERT INTO cue_text (cue_text) VALUES ('rebuild')")
    }
}
