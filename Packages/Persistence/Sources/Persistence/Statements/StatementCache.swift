// SPDX-License-Identifier: MIT

/// The prepared statements of one connection that are not running, most recently used kept.
struct StatementCache {
    private let capacity: Int
    private var entries: [String: (statement: Statement, use: Int)] = [:]
    private var uses = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var count: Int { entries.count }

    /// Takes a statement out, so that a second use of the same text while it runs gets a statement of its own.
    mutating func take(_ text: String) -> Statement? {
        entries.removeValue(forKey: text)?.statement
    }

    /// Puts a statement that has been reset back.
    mutating func put(_ statement: Statement) {
        if entries.count >= capacity, entries[statement.text] == nil,
            let oldest = entries.min(by: { $0.value.use < $1.value.use })
        {
            entries.removeValue(forKey: oldest.key)
        }
        uses += 1
        entries[statement.text] = (statement, uses)
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
