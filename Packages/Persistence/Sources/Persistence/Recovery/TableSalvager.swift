// SPDX-License-Identifier: MIT

/// Copies the rows of one table, around unreadable ones.
///
/// Rows are read in the order of their row IDs. Where that fails, it looks for the smallest row ID from which reading
/// continues: a search by doubling steps and then by halves, as the B-tree leads past a damaged page to the ones behind
/// it. A table WITHOUT ROWID is read from both ends.
struct TableSalvager {
    private let source: Connection
    private let target: WritableConnection
    private let name: String
    private let columns: [String]
    private let keys: [String]
    private let rowID: String?
    /// The name of the table that is read; for a text index, its content table.
    private let sourceName: String
    private let sourceColumns: [String]
    private let sourceRowID: String
    private var report: RecoveryReport.Table

    /// - Parameter content: The table that holds an FTS5 table's texts (sqlite.org/fts5.html §4.4.3). A damaged index
    ///   is not read at all: opening one can keep SQLite busy without end.
    init(source: Connection, target: WritableConnection, table: String, content: String? = nil) throws {
        self.source = source
        self.target = target
        name = Self.quoted(table)
        report = RecoveryReport.Table(name: table)
        // In the new database: its schema is sound.
        let described = try target.query(
            "SELECT name, pk FROM pragma_table_xinfo(\(table)) WHERE hidden = 0 ORDER BY cid"
        ) { (name: try $0["name", as: String.self], key: try $0["pk", as: Int.self]) }
        columns = described.map { Self.quoted($0.name) }
        keys = described.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map { Self.quoted($0.name) }
        let names = Set(described.map { $0.name.lowercased() })
        let free = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
        let quotedName = name
        rowID = free.flatMap { alias in
            (try? target.execute(SQL(fromDatabase: "SELECT \(alias) FROM \(quotedName) LIMIT 0"))) == nil ? nil : alias
        }
        sourceName = content.map(Self.quoted) ?? name
        sourceColumns = content == nil ? columns : columns.indices.map { "c\($0)" }
        sourceRowID = content == nil ? rowID ?? "" : "id"
    }

    consuming func run() throws -> RecoveryReport.Table {
        if let rowID { try copyByRowID(rowID) } else { try copyFromBothEnds() }
        return report
    }

    private mutating func copyByRowID(_ rowID: String) throws {
        var next: Int64? = .min
        while let start = next {
            try Task.checkCancellation()
            let (last, isWhole) = try copy(from: start, rowID)
            if isWhole { return }
            report.gaps += 1
            // The greatest possible row ID was read: no row is left to read one by one.
            guard last != .max else { return }
            next = readable(after: last.map { $0 + 1 } ?? start)
        }
    }

    /// Copies rows until one cannot be read. Returns the row ID of the last one that was read, if any.
    private mutating func copy(from start: Int64, _ rowID: String) throws -> (last: Int64?, isWhole: Bool) {
        let list = ([sourceRowID] + sourceColumns).joined(separator: ", ")
        let sql = SQL(
            fromDatabase: "SELECT \(list) FROM \(sourceName) WHERE \(sourceRowID) >= ? ORDER BY \(sourceRowID)",
            bindings: [.integer(start)])
        let insertion = insertion(of: [rowID] + columns)
        var last: Int64?
        do {
            return try source.withStatement(sql) { statement in
                while try statement.step() {
                    let row = Row(statement)
                    let id = try Int64(column: row.column(at: 0))
                    // A damaged tree may lead round in circles.
                    guard id >= start, last.map({ id > $0 }) ?? true else { return (last, false) }
                    last = id
                    try keep(row, insertion)
                }
                return (last, true)
            }
        } catch let error as DatabaseError where Self.isDamage(error) {
            return (last, false)
        }
    }

    /// The smallest row ID after a damaged place from which a row can be read; nil if there is none.
    private func readable(after damaged: Int64) -> Int64? {
        let list = ([sourceRowID] + sourceColumns).joined(separator: ", ")
        let text = "SELECT \(list) FROM \(sourceName) WHERE \(sourceRowID) >= ? ORDER BY \(sourceRowID) LIMIT 1"
        func canRead(_ id: Int64) -> Bool {
            do {
                let found = try source.first(SQL(fromDatabase: text, bindings: [.integer(id)])) {
                    try Int64(column: $0.column(at: 0))
                }
                return found.map { $0 >= id } ?? true
            } catch {
                return false
            }
        }
        // Row IDs below zero are rare, and doubling from the smallest number would step over everything.
        if damaged < 0 { return canRead(0) ? 0 : readable(after: 0) }
        var unreadable = damaged
        var step: Int64 = 1
        while true {
            let (probe, overflows) = damaged.addingReportingOverflow(step)
            if overflows { return canRead(.max) ? .max : nil }
            if canRead(probe) {
                var readable = probe
                while readable - unreadable > 1 {
                    let middle = unreadable + (readable - unreadable) / 2
                    if canRead(middle) { readable = middle } else { unreadable = middle }
                }
                return readable
            }
            unreadable = probe
            let (doubled, isTooLarge) = step.multipliedReportingOverflow(by: 2)
            if isTooLarge { return canRead(.max) ? .max : nil }
            step = doubled
        }
    }

    private mutating func copyFromBothEnds() throws {
        let list = columns.joined(separator: ", ")
        let insertion = insertion(of: columns, orIgnore: true)
        for direction in ["", " DESC"] {
            let order = keys.isEmpty ? "" : " ORDER BY " + keys.map { $0 + direction }.joined(separator: ", ")
            do {
                let statement = try source.begin(StatementSource(text: "SELECT \(list) FROM \(name)\(order)"))
                defer { statement.end() }
                while try statement.step() {
                    let (rows, rejected) = (report.rows, report.rejectedRows)
                    try keep(Row(statement), insertion)
                    // A row that exists already was read before: a damaged tree leads round in circles, or both ends
                    // meet.
                    if report.rows == rows && report.rejectedRows == rejected { throw Self.circle }
                }
                return
            } catch let error as DatabaseError where Self.isDamage(error) {
                if direction.isEmpty { report.gaps += 1 }
            }
        }
    }

    /// Stores the source's current row.
    private mutating func keep(_ row: borrowing Row, _ insertion: String) throws {
        do {
            try target.execute(SQL(fromDatabase: insertion, bindings: row.values()))
            report.rows += target.changes
        } catch let error as DatabaseError
            where [.constraint, .typeMismatch, .invalidValue, .tooLarge].contains(error.code)
        {
            report.rejectedRows += 1
        }
    }

    private static let circle = DatabaseError(code: .damaged, message: "A row occurs twice.")

    private func insertion(of columns: [String], orIgnore: Bool = false) -> String {
        let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        let verb = orIgnore ? "INSERT OR IGNORE" : "INSERT"
        return "\(verb) INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// True if an error is damage to work around, and not, for example, a full disk.
    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.damaged, .invalidSQL, .typeMismatch, .inputOutput, .other, .tooLarge, .outOfMemory].contains(error.code)
    }

    /// A quoted name for SQL, with any characters.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
