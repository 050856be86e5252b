// SPDX-License-Identifier: MIT

/// A store behind an ``AppLock``: every call throws `locked` until the passphrase was given.
public struct LockedSecretStore: SecretStore {
    private let store: any SecretStore
    private let lock: AppLock

    /// Puts a store behind a lock. A lock that is not enabled lets everything pass.
    public init(_ store: any SecretStore, lock: AppLock) {
        self.store = store
        self.lock = lock
    }

    /// Stores a value.
    public func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws {
        try await requireUnlocked()
        try await store.set(value, for: name)
    }

    /// The value of a name.
    public func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? {
        try await requireUnlocked()
        return try await store.value(for: name)
    }

    /// Forgets a name.
    @discardableResult
    public func delete(_ name: SecretName) async throws -> Bool {
        try await requireUnlocked()
        return try await store.delete(name)
    }

    /// The names in their order.
    public func names(service: String?) async throws -> [SecretName] {
        try await requireUnlocked()
        return try await store.names(service: service)
    }

    private func requireUnlocked() async throws {
        do {
            try await lock.requireUnlocked()
        } catch let error as SecurityError {
            throw SecretStoreError(error)
        }
    }
}
