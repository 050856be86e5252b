// SPDX-License-Identifier: MIT

/// A statement that a connection has prepared, or is preparing.
// SAFETY: touched under the lock of its connection only.
final class PreparedStatement: @unchecked Sendable {
    let name: String
    let text: String
    /// The types of its parameters; 0 where the server inferred one.
    let types: [UInt32]
    fileprivate(set) var lastUse: UInt64
    /// The columns of its last result.
    var columns: ResultColumns?

    fileprivate init(name: String, text: String, types: [UInt32], use: UInt64) {
        (self.name, self.text, self.types, lastUse) = (name, text, types, use)
    }
}

/// The prepared statements of one connection, most recently used kept. Pure: the connection tells the server.
struct PreparedStatements {
    private let capacity: Int
    /// Ends each name, so that a pooler that hands the server's connections round never runs another client's statement.
    private let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
    /// By text: those that differ in the types of their parameters.
    private var statements: [String: [PreparedStatement]] = [:]
    private var uses: UInt64 = 0
    private(set) var count = 0

    /// - Parameter capacity: The number of statements to keep; 0 prepares none.
    init(capacity: Int) { self.capacity = max(0, capacity) }

    var isEnabled: Bool { capacity > 0 }

    /// A statement with this text that takes these values.
    mutating func find(
        _ text: String, types: [UInt32], parameters: [PostgresStatement.Parameter]
    ) -> PreparedStatement? {
        guard let same = statements[text] else { return nil }
        // A NULL fits every type.
        let found = same.first { statement in
            statement.types.count == types.count
                && types.indices.allSatisfy { types[$0] == statement.types[$0] || parameters[$0].value == .null }
        }
        guard let found else { return nil }
        uses += 1
        found.lastUse = uses
        return found
    }

    /// Adds a statement. The one that it replaces, if any, has to be released at the server.
    mutating func add(_ text: String, types: [UInt32]) -> (added: PreparedStatement, removed: PreparedStatement?) {
        var removed: PreparedStatement?
        if count >= capacity {
            removed = statements.values.joined().min { $0.lastUse < $1.lastUse }
            if let removed { remove(removed) }
        }
        uses += 1
        let statement = PreparedStatement(name: "p\(uses)_\(suffix)", text: text, types: types, use: uses)
        statements[text, default: []].append(statement)
        count += 1
        return (statement, removed)
    }

    /// Removes a statement that the server has not.
    mutating func remove(_ statement: PreparedStatement) {
        guard let same = statements[statement.text], same.contains(where: { $0 === statement }) else { return }
        let rest = same.filter { $0 !== statement }
        statements[statement.text] = rest.isEmpty ? nil : rest
        count -= 1
    }
}
