// SPDX-License-Identifier: MIT

/// A set of tables.
enum Region: Equatable, Sendable {
    /// These tables, by their names in lower case.
    case tables(Set<String>)
    /// Every table: the schema changed, or another process wrote.
    case everything

    static let nothing = Region.tables([])

    var isEmpty: Bool { self == .nothing }

    /// The table, if the region has exactly one.
    var onlyTable: String? {
        guard case .tables(let names) = self, names.count == 1 else { return nil }
        return names.first
    }

    mutating func formUnion(_ other: Region) {
        switch (self, other) {
        case (.everything, _): return
        case (_, .everything): self = .everything
        case (.tables(let own), .tables(let others)):
            if !others.isSubset(of: own) { self = .tables(own.union(others)) }
        }
    }

    func overlaps(_ other: Region) -> Bool {
        switch (self, other) {
        case (.everything, _): !other.isEmpty
        case (_, .everything): !isEmpty
        case (.tables(let own), .tables(let others)): !own.isDisjoint(with: others)
        }
    }
}

/// The tables that a statement reads and changes, as SQLite's authorizer reported when it was prepared: triggers,
/// foreign key actions, views and tables WITHOUT ROWID included, which `sqlite3_update_hook` does not report.
final class StatementTables {
    let reads: Region
    let writes: Region
    /// The transaction that has counted it, so that a statement in a loop is counted once.
    fileprivate(set) var transaction = 0

    init(reads: Region, writes: Region) {
        self.reads = reads
        self.writes = writes
    }
}

/// The tables that one transaction has changed so far.
struct ChangeRecord {
    private var region = Region.nothing
    private var transaction = 0

    mutating func begin() {
        region = .nothing
        transaction += 1
    }

    mutating func add(_ tables: StatementTables) {
        guard tables.transaction != transaction else { return }
        tables.transaction = transaction
        region.formUnion(tables.writes)
    }

    mutating func end() -> Region { region }
}
