// SPDX-License-Identifier: MIT

/// A key of a ``KeyValueStore`` and the type of what is under it.
public struct KeyValueKey<Value: Codable & Sendable>: Sendable, Hashable {
    /// What keeps one module's names from another's.
    public let namespace: String
    /// The name, unique in its namespace.
    public let name: String

    /// A key.
    public init(_ name: String, in namespace: String, of type: Value.Type = Value.self) {
        self.name = name
        self.namespace = namespace
    }
}
