// SPDX-License-Identifier: MIT

/// What was saved from a damaged file, and what could not be.
public struct RecoveryReport: Sendable, Equatable, CustomStringConvertible {
    /// One table of the damaged file.
    public struct Table: Sendable, Equatable {
        /// The table's name.
        public let name: String
        /// How many rows are in the new file.
        public internal(set) var rows = 0
        /// How many rows could be read but not stored: they violate a constraint, or are no proper text.
        public internal(set) var rejectedRows = 0
        /// How many places could not be read; each may have held several rows.
        public internal(set) var gaps = 0

        /// Whether every row that the table is known to have had is in the new file.
        public var isComplete: Bool { rejectedRows == 0 && gaps == 0 }
    }

    /// Where the damaged file is now, with its log beside it. Nothing in it was changed.
    public let setAside: String
    /// The tables, in the order of their making.
    public internal(set) var tables: [Table] = []
    /// What else is missing or was made anew, a sentence each.
    public internal(set) var notes: [String] = []

    /// Whether nothing is known to be lost.
    public var isComplete: Bool { notes.isEmpty && tables.allSatisfy(\.isComplete) }

    /// The report for a person, a line for each table.
    public var description: String {
        var lines = ["The damaged database is kept as \(setAside). A new one has what could be read:"]
        for table in tables {
            var line = "\(table.name): \(table.rows) rows"
            if table.gaps > 0 { line += ", unreadable in \(table.gaps) places" }
            if table.rejectedRows > 0 { line += ", \(table.rejectedRows) rows were not sound" }
            lines.append(line)
        }
        return (lines + notes).joined(separator: "\n")
    }
}
