// SPDX-License-Identifier: MIT

extension Database {
    /// Looks for damage in every page, index and constraint; takes a time that grows with the file.
    ///
    /// - Returns: What is wrong, a sentence each, at most 100; empty when the database is sound.
    /// - Throws: ``DatabaseError`` (`damaged` when the damage is such that it cannot even be looked for).
    public func integrityCheck() async throws -> [String] {
        try await read { connection in
            do {
                let problems = try connection.query("PRAGMA integrity_check(100)", as: String.self)
                let orphans = try connection.query("PRAGMA foreign_key_check") { row in
                    let (id, table) = (try row["rowid"] ?? 0 as Int64, try row["table", as: String.self])
                    return "row \(id) of \(table) refers to nothing in \(try row["parent", as: String.self])"
                }
                return Array((problems.filter { $0 != "ok" } + orphans).prefix(100))
            } catch let error as DatabaseError where error.code == .tooLarge {
                // A record that says that a value in it is longer than any that SQLite writes.
                let message = DatabaseError.damageMessage(name: connection.name, detail: error.message)
                throw DatabaseError(code: .damaged, message: message, underlying: error.underlying)
            }
        }
    }
}
