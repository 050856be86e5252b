// SPDX-License-Identifier: MIT

/// The prepared statements of one connection, most recently used kept.
struct StatementCache {
    private struct Entry {
        let statement: Statement
        var use: Int
    }

    private let capacity: Int
    /// By the address of the literal, which is cheaper to look up than its text.
    private var literals: [UnsafeRawPointer: Entry] = [:]
    private var texts: [String: Entry] = [:]
    private var uses = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// A kept statement that is not running: a second use of the same text while it runs needs a statement of its own.
    mutating func find(_ source: StatementSource) -> Statement? {
        uses += 1
        switch source {
        case .literal(let literal) where literal.hasPointerRepresentation:
            let address = UnsafeRawPointer(literal.utf8Start)
            guard let index = literals.index(forKey: address) else { return nil }
            literals.values[index].use = uses
            let statement = literals.values[index].statement
            // One address and one length are one text.
            let isSame = statement.text.utf8.count == literal.utf8CodeUnitCount
            return statement.isRunning || !isSame ? nil : statement
        case .literal, .text:
            guard let index = texts.index(forKey: source.text) else { return nil }
            texts.values[index].use = uses
            let statement = texts.values[index].statement
            return statement.isRunning ? nil : statement
        }
    }

    /// Keeps a statement, in the place of the one that has not been used for longest.
    mutating func keep(_ statement: Statement, for source: StatementSource) {
        let entry = Entry(statement: statement, use: uses)
        switch source {
        case .literal(let literal) where literal.hasPointerRepresentation:
            Self.makeRoom(in: &literals, capacity)
            literals[UnsafeRawPointer(literal.utf8Start)] = entry
        case .literal, .text:
            Self.makeRoom(in: &texts, capacity)
            texts[source.text] = entry
        }
    }

    mutating func removeAll() {
        literals.removeAll()
        texts.removeAll()
    }

    private static func makeRoom<Key>(in entries: inout [Key: Entry], _ capacity: Int) {
        guard entries.count >= capacity, let oldest = entries.min(by: { $0.value.use < $1.value.use }) else { return }
        entries.removeValue(forKey: oldest.key)
    }
}
