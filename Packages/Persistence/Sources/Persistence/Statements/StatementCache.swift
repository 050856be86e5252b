// SPDX-License-Identifier: MIT

/// The prepared statements of one connection, most recently used kept.
struct StatementCache {
    private let capacity: Int
    private var literals: [SQLPieces: Statement] = [:]
    private var texts: [String: Statement] = [:]
    private var uses = 0
    /// The statement found last in each slot: in a loop, the same few are wanted again.
    private var recent = [Recent](repeating: Recent(), count: 16)

    private struct Recent {
        var pieces = SQLPieces()
        var statement: Statement?
    }

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// A kept statement that is not running: a second use of the same text while it runs needs a statement of its own.
    mutating func find(_ source: StatementSource) -> Statement? {
        uses += 1
        let statement: Statement
        if let text = source.made {
            guard let found = texts[text] else { return nil }
            statement = found
        } else {
            let slot = source.pieces.slot
            if recent[slot].pieces == source.pieces, let found = recent[slot].statement {
                statement = found
            } else {
                guard let found = literals[source.pieces] else { return nil }
                statement = found
                recent[slot] = Recent(pieces: source.pieces, statement: found)
            }
        }
        statement.lastUse = uses
        return statement.isRunning ? nil : statement
    }

    /// Keeps a statement, in the place of the least recently used one.
    mutating func keep(_ statement: Statement, for source: StatementSource) {
        statement.lastUse = uses
        if let text = source.made {
            Self.makeRoom(in: &texts, capacity)
            texts[text] = statement
        } else {
            forgetRecent()
            Self.makeRoom(in: &literals, capacity)
            literals[source.pieces] = statement
        }
    }

    mutating func removeAll() {
        forgetRecent()
        literals.removeAll()
        texts.removeAll()
    }

    /// Clears `recent` before a statement is removed: it would stay there.
    private mutating func forgetRecent() {
        for slot in recent.indices { recent[slot] = Recent() }
    }

    private static func makeRoom<Key>(in statements: inout [Key: Statement], _ capacity: Int) {
        guard statements.count >= capacity, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return }
        statements.removeValue(forKey: oldest.key)
    }
}
