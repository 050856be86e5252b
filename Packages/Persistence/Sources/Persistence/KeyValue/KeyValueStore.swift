// SPDX-License-Identifier: MIT

public import Diagnostics

/// Small values by name: settings, cursors, flags. Typed values are stored as JSON, bytes as they are.
///
/// Every call is a transaction; ``write(_:)`` changes several keys in one. Several processes may use one file.
public struct KeyValueStore: Sendable {
    /// The failures that a completed call survives.
    public let durability: Durability
    private let database: Database

    /// The tables; a program that keeps them in a database of its own adds these to its list of migrations.
    public static var migrations: [Migration] { KeyValueSchema.migrations }

    /// A store in a database that has ``migrations``.
    public init(database: Database, durability: Durability = .full) {
        self.database = database
        self.durability = durability
    }

    /// Opens a store in a file of its own, or creates it.
    ///
    /// - Throws: The errors of ``Database/init(at:configuration:logger:)`` and ``Database/migrate(_:now:)``.
    public init(at path: String, durability: Durability = .full, logger: Logger = .disabled) async throws {
        let database = try await Database(at: path, logger: logger)
        try await database.migrate(Self.migrations)
        self.init(database: database, durability: durability)
    }

    /// Reads several keys at one moment.
    public func read<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<Connection>) throws -> Value
    ) async throws -> Value {
        try await database.read { try body(KeyValueTransaction($0)) }
    }

    /// Changes several keys, all or none: the changes are undone when the closure throws.
    public func write<Value: Sendable>(
        _ body: @Sendable (KeyValueTransaction<WritableConnection>) throws -> Value
    ) async throws -> Value {
        try await database.write(durability: durability) { try body(KeyValueTransaction($0)) }
    }

    /// The value of a key, or nil.
    ///
    /// - Throws: ``DatabaseError`` with `typeMismatch` when the stored value is not of the key's type.
    public func value<Value>(for key: KeyValueKey<Value>) async throws -> Value? {
        try await read { try $0.value(for: key) }
    }

    /// Sets a key's value; nil removes it.
    public func set<Value>(_ value: Value?, for key: KeyValueKey<Value>) async throws {
        try await write { try $0.set(value, for: key) }
    }

    /// Sets a key's value if the present one is `expected`; nil stands for a missing value.
    ///
    /// - Returns: True if it was set.
    public func compareAndSet<Value: Equatable>(
        _ key: KeyValueKey<Value>, from expected: Value?, to new: Value?
    ) async throws -> Bool {
        try await write { try $0.compareAndSet(key, from: expected, to: new) }
    }

    /// A key's present value, and its value after each change, by any process. A reader that is slower than the changes
    /// gets the newest one and misses those in between. Ends when its task is cancelled.
    public func values<Value>(for key: KeyValueKey<Value>) -> KeyValueChanges<Value> {
        KeyValueChanges(
            key: key, bytes: database.observe { try KeyValueTransaction($0).bytes(key.name, in: key.namespace) })
    }
}

/// A key of a ``KeyValueStore`` and the type of its value.
public struct KeyValueKey<Value: Codable & Sendable>: Sendable, Hashable {
    /// The namespace that keeps one module's names from another's.
    public let namespace: String
    /// The name, unique in its namespace.
    public let name: String

    /// A key.
    public init(_ name: String, in namespace: String, of type: Value.Type = Value.self) {
        self.name = name
        self.namespace = namespace
    }
}

enum KeyValueSchema {
    static let migrations = [
        Migration(
            name: "key value 1",
            sql: """
                CREATE TABLE key_value (
                    namespace TEXT NOT NULL,
                    name TEXT NOT NULL,
                    bytes BLOB NOT NULL,
                    PRIMARY KEY (namespace, name)
                ) STRICT
                """)
    ]
}
