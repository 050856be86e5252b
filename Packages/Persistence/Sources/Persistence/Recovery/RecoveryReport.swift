// SPDX-License-Identifier: MIT

/// The saved and the lost content of a damaged file.
public struct RecoveryReport: Sendable, Equatable, CustomStringConvertible {
    /// One table of the damaged file.
    public struct Table: Sendable, Equatable {
        /// The table's name.
        public let name: String
        /// The number of rows in the new file.
        public internal(set) var rows = 0
        /// The number of rows that could be read but not stored: they violate a constraint, or are invalid text.
        public internal(set) var rejectedRows = 0
        /// The number of unreadable places; each may have held several rows.
        public internal(set) var gaps = 0

        /// True if every row that the table is known to have had is in the new file.
        public var isComplete: Bool { rejectedRows == 0 && gaps == 0 }
    }

    /// The path of the damaged file now, with its log beside it. Nothing in it was changed.
    public internal(set) var setAside: String
    /// The tables, in the order of their creation.
    public internal(set) var tables: [Table] = []
    /// Anything else that is missing or was made anew, a sentence each.
    public internal(set) var notes: [String] = []

    /// True if nothing is known to be lost.
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
