// SPDX-License-Identifier: MIT

import CSQLite

/// The statements that begin and end transactions, prepared once for each connection.
struct TransactionControl {
    enum Command: Int, CaseIterable {
        case beginDeferred
        case beginImmediate
        case commit
        case rollback
        case synchronousFull
        case synchronousNormal
        case queryOnly
        case queryAndWrite

        var text: StaticString {
            switch self {
            case .beginDeferred: "BEGIN DEFERRED"
            case .beginImmediate: "BEGIN IMMEDIATE"
            case .commit: "COMMIT"
            case .rollback: "ROLLBACK"
            case .synchronousFull: "PRAGMA synchronous = FULL"
            case .synchronousNormal: "PRAGMA synchronous = NORMAL"
            case .queryOnly: "PRAGMA query_only = ON"
            case .queryAndWrite: "PRAGMA query_only = OFF"
            }
        }
    }

    private var statements: [Statement?] = Array(repeating: nil, count: Command.allCases.count)

    mutating func statement(for command: Command, on handle: OpaquePointer, name: String) throws -> Statement {
        if let statement = statements[command.rawValue] { return statement }
        let statement = try Statement(command.text.description, on: handle, name: name)
        statements[command.rawValue] = statement
        return statement
    }

    mutating func removeAll() {
        statements = Array(repeating: nil, count: Command.allCases.count)
    }
}
