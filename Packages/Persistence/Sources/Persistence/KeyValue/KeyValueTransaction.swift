// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Several keys at one moment. It exists only within the closures of ``KeyValueStore``; do not keep it. The one of
/// ``KeyValueStore/read(_:)`` has no methods that write.
public struct KeyValueTransaction<Access: Connection> {
    private let connection: Access

    /// A transaction on a connection of the caller's, whose database has ``KeyValueStore/migrations``.
    public init(_ connection: Access) {
        self.connection = connection
    }

    /// The value of a key, or nil.
    ///
    /// - Throws: ``DatabaseError`` with `typeMismatch` when the stored value is not of the key's type.
    public func value<Value>(for key: KeyValueKey<Value>) throws -> Value? {
        try bytes(key.name, in: key.namespace).map { try Self.decode($0, for: key) }
    }

    /// Sets a key's value, or removes it.
    ///
    /// - Throws: `EncodingError`, or the errors of a write.
    public func set<Value>(_ value: Value?, for key: KeyValueKey<Value>) throws where Access == WritableConnection {
        try setBytes(try value.map(Self.encode), for: key.name, in: key.namespace)
    }

    /// Sets a key's value if the present one is `expected`; nil stands for a missing value.
    ///
    /// - Returns: True if it was set.
    public func compareAndSet<Value: Equatable>(
        _ key: KeyValueKey<Value>, from expected: Value?, to new: Value?
    ) throws -> Bool where Access == WritableConnection {
        guard try value(for: key) == expected else { return false }
        try set(new, for: key)
        return true
    }

    /// The bytes under a name, or nil.
    public func bytes(_ name: String, in namespace: String) throws -> [UInt8]? {
        try connection.first(
            "SELECT bytes FROM key_value WHERE namespace = \(namespace) AND name = \(name)", as: [UInt8].self)
    }

    /// Sets the bytes under a name, or removes them.
    public func setBytes(_ bytes: [UInt8]?, for name: String, in namespace: String) throws
    where Access == WritableConnection {
        if let bytes {
            try connection.execute(
                """
                INSERT INTO key_value VALUES (\(namespace), \(name), \(bytes))
                ON CONFLICT DO UPDATE SET bytes = excluded.bytes
                """)
        } else {
            try connection.execute("DELETE FROM key_value WHERE namespace = \(namespace) AND name = \(name)")
        }
    }

    /// Sets the bytes under a name if the present ones are `expected`; nil stands for missing bytes.
    ///
    /// - Returns: True if they were set.
    public func compareAndSetBytes(
        _ name: String, in namespace: String, from expected: [UInt8]?, to new: [UInt8]?
    ) throws -> Bool where Access == WritableConnection {
        guard try bytes(name, in: namespace) == expected else { return false }
        try setBytes(new, for: name, in: namespace)
        return true
    }

    /// The names in a namespace, sorted by their UTF-8 bytes.
    public func names(in namespace: String) throws -> [String] {
        try connection.query("SELECT name FROM key_value WHERE namespace = \(namespace) ORDER BY name", as: String.self)
    }

    /// Removes everything in a namespace.
    public func removeAll(in namespace: String) throws where Access == WritableConnection {
        try connection.execute("DELETE FROM key_value WHERE namespace = \(namespace)")
    }

    static func decode<Value>(_ bytes: [UInt8], for key: KeyValueKey<Value>) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch {
            throw DatabaseError(
                code: .typeMismatch,
                message: "What is stored as “\(key.name)” in “\(key.namespace)” is not a \(Value.self).")
        }
    }

    private static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(value))
    }
}
