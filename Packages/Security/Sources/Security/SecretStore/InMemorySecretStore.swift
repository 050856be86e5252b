// SPDX-License-Identifier: MIT

/// Keeps secrets until the program ends, for tests and for a run that must leave no trace.
public actor InMemorySecretStore: SecretStore {
    private var values: [SecretName: Sensitive<[UInt8]>] = [:]

    /// An empty store.
    public init() {}

    /// Stores a value.
    public func set(_ value: Sensitive<[UInt8]>, for name: SecretName) throws {
        try SecretLimit.check(value)
        values[name] = value
    }

    /// The value of a name.
    public func value(for name: SecretName) -> Sensitive<[UInt8]>? { values[name] }

    /// Deletes a name's value.
    @discardableResult
    public func delete(_ name: SecretName) -> Bool { values.removeValue(forKey: name) != nil }

    /// The names in their order.
    public func names(service: String?) -> [SecretName] { values.keys.names(of: service) }
}

extension Sequence<SecretName> {
    /// The names of one service, or all of them, in their order.
    func names(of service: String?) -> [SecretName] {
        filter { service == nil || service?.utf8.elementsEqual($0.service.utf8) == true }.sorted()
    }
}
