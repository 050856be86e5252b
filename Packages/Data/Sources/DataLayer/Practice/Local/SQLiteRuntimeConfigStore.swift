// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence

/// The last valid configuration of each account, in an SQLite database.
public struct SQLiteRuntimeConfigStore: RuntimeConfigStore {
    private let database: PracticeDatabase

    /// Makes a store in a database.
    public init(_ database: PracticeDatabase) { self.database = database }

    /// See `RuntimeConfigStore`.
    public func store(_ config: RuntimeConfig, for account: String?) async throws {
        let account = account ?? ""
        // The configuration can be fetched again: no need to wait for the disk.
        try await database.write(durability: .normal) { connection in
            try connection.execute("DELETE FROM runtime_rule WHERE account = \(account)")
            try connection.execute("DELETE FROM runtime_config WHERE account = \(account)")
            try connection.execute("INSERT INTO runtime_config VALUES (\(account), \(config.fetchedAt))")
            for (name, rule) in config.rules {
                let (type, value) = rule.value.stored
                try connection.execute(
                    """
                    INSERT INTO runtime_rule (account, name, type, value, rollout, expires_at)
                    VALUES (\(account), \(name), \(type), \(value), \(rule.rollout), \(rule.expiresAt))
                    """)
            }
        }
    }

    /// See `RuntimeConfigStore`.
    public func config(for account: String?) async throws -> RuntimeConfig? {
        let account = account ?? ""
        return try await database.read { connection in
            let time = try connection.first(
                "SELECT fetched_at FROM runtime_config WHERE account = \(account)", as: Date.self)
            guard let time else { return nil }
            let rules = try connection.query(
                "SELECT name, type, value, rollout, expires_at FROM runtime_rule WHERE account = \(account)"
            ) { row in
                guard let value = FlagValue(stored: try row["type"], try row["value"]) else {
                    throw DomainError.unusable(.row("flag"))
                }
                let rule = RuntimeConfig.Rule(
                    value: value, rollout: try row["rollout"], expiresAt: try row["expires_at"])
                return (try row["name", as: String.self], rule)
            }
            return RuntimeConfig(rules: Dictionary(rules) { first, _ in first }, fetchedAt: time)
        }
    }

    /// See `RuntimeConfigStore`.
    public func installation() async throws -> String {
        let stored: SQL = "SELECT name FROM installation"
        if let name = try await database.read({ try $0.first(stored, as: String.self) }) { return name }
        let made = Identifier<RuntimeConfig>().description
        return try await database.write { connection in
            // Another process may have been first.
            try connection.execute("INSERT OR IGNORE INTO installation (id, name) VALUES (1, \(made))")
            return try connection.first(stored, as: String.self) ?? made
        }
    }
}

extension FlagValue {
    /// The type's name, and the value as a text that can be read back.
    fileprivate var stored: (type: String, value: String) {
        switch self {
        case .boolean: ("boolean", description)
        case .integer: ("integer", description)
        case .number: ("number", description)
        case .text: ("text", description)
        }
    }

    fileprivate init?(stored type: String, _ value: String) {
        let read: FlagValue? =
            switch type {
            case "boolean": Bool(value).map(FlagValue.boolean)
            case "integer": Int(value).map(FlagValue.integer)
            case "number": Double(value).map(FlagValue.number)
            case "text": .text(value)
            default: nil
            }
        guard let read else { return nil }
        self = read
    }
}
