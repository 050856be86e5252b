// SPDX-License-Identifier: MIT

import CSQLite
import Diagnostics

/// Copies the readable content of a damaged database into a new one.
struct Salvager {
    /// An entry of the schema.
    private struct Entry {
        let type: String
        let name: String
        let sql: String

        /// True if this is a statement of a schema at all, and not another one that was put there.
        var isDefinition: Bool { sql.uppercased().hasPrefix("CREATE ") }
        var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }
    }

    let damaged: DatabaseFile
    let configuration: Database.Configuration
    let target: WritableConnection

    func run() throws -> RecoveryReport {
        var report = RecoveryReport(setAside: damaged.path)
        var entries: [Entry] = []
        let source: WritableConnection
        do {
            source = try openDamaged()
            try source.forEach("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") {
                row in
                entries.append(Entry(type: try row["type"], name: try row["name"], sql: try row["sql"]))
            }
        } catch let error as DatabaseError {
            guard !entries.isEmpty else {
                report.notes.append("The list of its tables is unreadable, so that nothing could be copied.")
                return report
            }
            report.notes.append("The list of its tables is damaged: there may have been more (\(error.code)).")
            return try copy(entries, from: try openDamaged(), into: report)
        }
        return try copy(entries, from: source, into: report)
    }

    private func copy(
        _ entries: [Entry], from source: WritableConnection, into report: RecoveryReport
    ) throws -> RecoveryReport {
        var report = report
        let virtual = entries.filter(\.isVirtual)
        // SQLite makes these with the virtual table.
        let isShadow = { (name: String) in virtual.contains { name.hasPrefix($0.name + "_") } }
        // A row may precede the rows it refers to, and some may be lost.
        try target.internally("PRAGMA foreign_keys = OFF")
        let ordinary = entries.filter { entry in
            entry.type == "table" && !entry.isVirtual && !entry.name.hasPrefix("sqlite_") && !isShadow(entry.name)
        }
        for entry in ordinary {
            try Task.checkCancellation()
            guard try make(entry, &report) else { continue }
            report.tables.append(try copyRows(of: entry.name, nil, from: source))
        }
        // Text indexes last: one may take its texts from another table.
        for entry in virtual {
            let content = entry.name + "_content"
            guard try make(entry, &report) else { continue }
            if entries.contains(where: { $0.name == content }) {
                report.tables.append(try copyRows(of: entry.name, content, from: source))
            } else {
                report.notes.append("The index \(entry.name) is empty: fill it again from what it was made of.")
            }
        }
        for entry in entries where entry.type != "table" { _ = try make(entry, &report) }
        try target.internally("PRAGMA foreign_keys = ON")
        try target.writing(durability: .full) { connection in
            let orphans = try connection.query("PRAGMA foreign_key_check") { try $0["table", as: String.self] }
            for (table, count) in Dictionary(grouping: orphans, by: { $0 }).mapValues(\.count).sorted(by: <) {
                report.notes.append("\(count) rows of \(table) refer to rows that are lost.")
            }
        }
        return report
    }

    private func copyRows(
        of table: String, _ content: String?, from source: WritableConnection
    ) throws -> RecoveryReport.Table {
        try target.writing(durability: .normal) { connection in
            try TableSalvager(source: source, target: connection, table: table, content: content).run()
        }
    }

    /// Runs an entry's own statement on the new database; false, with a note, if it is not sound.
    private func make(_ entry: Entry, _ report: inout RecoveryReport) throws -> Bool {
        guard entry.isDefinition else {
            report.notes.append("The definition of the \(entry.type) \(entry.name) is not one.")
            return false
        }
        do {
            // Under the rules for callers: the maker of the file may have forged it.
            try target.writing(durability: .normal) { try $0.execute(SQL(fromDatabase: entry.sql)) }
            return true
        } catch let error as DatabaseError where [.invalidSQL, .constraint, .typeMismatch].contains(error.code) {
            report.notes.append("The \(entry.type) \(entry.name) could not be created: \(error.message)")
            return false
        }
    }

    /// Reads only, also in the log, and copies nothing of the log into the file when it is closed.
    private func openDamaged() throws -> WritableConnection {
        var configuration = configuration
        configuration.isReadOnly = true
        return try Connection.open(damaged, role: .reader, configuration: configuration, logger: .disabled)
    }
}

extension SQL {
    /// A statement from a database's own schema, or one with the name of its table.
    init(fromDatabase text: String, bindings: [SQLValue] = []) {
        source = StatementSource(text: text)
        self.bindings = bindings
    }
}
