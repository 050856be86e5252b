// SPDX-License-Identifier: MIT

/// The prepared statements of one connection, most recently used kept.
struct StatementCache {
    private let capacity: Int
    private var literals: [SQLPieces: Statement] = [:]
    private var texts: [String: Statement] = [:]
    private var uses = 0
    /// What was found last: in a loop, it is wanted again.
    private var latest: (pieces: SQLPieces, statement: Statement)?

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// A kept statement that is not running: a second use of the same text while it runs needs a statement of its own.
    mutating func find(_ source: StatementSource) -> Statement? {
        uses += 1
        let statement: Statement
        switch source {
        case .pieces(let pieces):
            if let latest, latest.pieces == pieces {
                statement = latest.statement
            } else {
                guard let found = literals[pieces] else { return nil }
                statement = found
                latest = (pieces, found)
            }
        case .text(let text):
            guard let found = texts[text] else { return nil }
            statement = found
        }
        statement.lastUse = uses
        return statement.isRunning ? nil : statement
    }

    /// Keeps a statement, in the place of the one that has not been used for longest.
    mutating func keep(_ statement: Statement, for source: StatementSource) {
        statement.lastUse = uses
        latest = nil
        switch source {
        case .pieces(let pieces):
            Self.makeRoom(in: &literals, capacity)
            literals[pieces] = statement
        case .text(let text):
            Self.makeRoom(in: &texts, capacity)
            texts[text] = statement
        }
    }

    mutating func removeAll() {
        latest = nil
        literals.removeAll()
        texts.removeAll()
    }

    private static func makeRoom<Key>(in statements: inout [Key: Statement], _ capacity: Int) {
        guard statements.count >= capacity, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        statements.removeValue(forKey: oldest.key)
    }
}
