// SPDX-License-Identifier: MIT

import Persistence

/// The setting that a shared database has while a transfer into it is unfinished: the home whose rows it gets. No server
/// starts on them.
enum TransferMark {
    static let name = "transfer"

    /// The home of the unfinished transfer; nil without one.
    static func home(in database: any ServerDatabase) async throws -> String? {
        try await SettingStore(database: database).value(name)
    }

    /// - Throws: ``TransferError`` for a database whose transfer is unfinished.
    static func checkFinished(_ database: any ServerDatabase) async throws {
        if let home = try await home(in: database) { throw TransferError.unfinished(home) }
    }

    /// Marks a database that has no rows; it may be marked for the same home already.
    ///
    /// - Returns: True if the transfer goes on after a break.
    /// - Throws: ``TransferError``.
    static func set(_ home: String, in database: any ServerDatabase) async throws -> Bool {
        try await database.write { writer in
            if let marked = try await check(home, writer) { return marked }
            try await writer.execute("INSERT INTO setting (name, value) VALUES (\(name), \(home))")
            return false
        }
    }

    /// Checks that a database may get the rows of a home.
    ///
    /// - Returns: True if it is marked for the home; nil if it is empty.
    /// - Throws: ``TransferError``.
    nonisolated(nonsending) static func check(_ home: String, _ reader: any SQLReader) async throws -> Bool? {
        let marked = try await reader.first("SELECT value FROM setting WHERE name = \(name)", as: String.self)
        if let marked {
            guard marked == home else { throw TransferError.otherTransfer(marked) }
            return true
        }
        // The keys are the first row of a server that has started.
        var names = TransferTable.all.map(\.shared.source)
        names.append("server_key")
        for name in names {
            let found = try await reader.first(
                "SELECT 1 AS number FROM \(sql: name) LIMIT 1", as: Int.self)
            if found != nil { throw TransferError.targetHasData(name.text) }
        }
        return nil
    }

    nonisolated(nonsending) static func remove(_ writer: any SQLWriter) async throws {
        try await writer.execute("DELETE FROM setting WHERE name = \(name)")
    }
}
