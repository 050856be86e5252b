// SPDX-License-Identifier: MIT

/// A store behind an ``AppLock``, with values sealed by the lock's key: every call throws `locked` before the
/// passphrase was given, and another program cannot read a value in the store.
///
/// The store holds the lock's ``AppLockHeader`` as the secret `headerName`, so that the header moves with the store. A
/// store with a header requires the passphrase whatever the lock's own file says. Names are not sealed.
public struct LockedSecretStore: SecretStore, LockableStore {
    /// The header's name in the store; it is not listed, and cannot be used for anything else.
    static let headerName: SecretName = {
        do { return try SecretName(service: "parley-app-lock", account: "header") } catch {
            preconditionFailure("The name is within the limits.")
        }
    }()

    private let store: any SecretStore
    private let lock: AppLock

    /// Puts a store behind a lock. Without a passphrase all values pass unchanged.
    public init(_ store: any SecretStore, lock: AppLock) {
        self.store = store
        self.lock = lock
    }

    /// See ``LockableStore``.
    public func lockedHeader() async throws -> AppLockHeader? { await lock.locked(try await header()) }

    /// Gives the store the lock's newest header, and seals the values that are not sealed yet; a sealed store is only
    /// read.
    public func seal() async throws {
        let header = try await header()
        guard let opened = try await entry(of: header) else { return }
        // The header is stored first: a value sealed without it could not be opened. A newer one stays: another program
        // has changed the passphrase.
        if header != opened.header, header?.generation ?? 0 <= opened.header.generation {
            try await store.set(Sensitive(opened.header.bytes), for: Self.headerName)
        }
        for name in try await names(service: nil) {
            guard let value = try await store.value(for: name) else { continue }
            if AppLockKey.isEnvelope(value), (try? opened.key.open(value, of: name)) != nil { continue }
            try await store.set(try Self.translating { try opened.key.seal(value, of: name) }, for: name)
        }
    }

    /// Stores the values as they were before the lock, and removes the header.
    public func unseal() async throws {
        guard try await key() != nil else { return }
        for name in try await names(service: nil) {
            guard let stored = try await store.value(for: name), AppLockKey.isEnvelope(stored),
                let value = try await value(for: name)
            else { continue }
            try await store.set(value, for: name)
        }
        // Last, since sealed values need it.
        _ = try await store.delete(Self.headerName)
    }

    /// Stores a value.
    public func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws {
        try SecretLimit.check(value)
        guard name != Self.headerName else {
            throw SecretStoreError(code: .invalidName, message: "\(name) belongs to the app lock. Choose another name.")
        }
        let header = try await header()
        guard let opened = try await entry(of: header) else { return try await store.set(value, for: name) }
        if header == nil { try await store.set(Sensitive(opened.header.bytes), for: Self.headerName) }
        try await store.set(try Self.translating { try opened.key.seal(value, of: name) }, for: name)
    }

    /// The value of a name.
    public func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? {
        let key = try await key()
        guard name != Self.headerName, let value = try await store.value(for: name) else { return nil }
        guard key != nil, AppLockKey.isEnvelope(value) else { return value }
        let id = value.withExposed { Array($0.dropFirst(AppLockKey.envelope.count).prefix(AppLockHeader.idByteCount)) }
        guard let key = await lock.opened(id: id) else { throw Self.locked }
        return try Self.translating { try key.open(value, of: name) }
    }

    /// Deletes a name's value.
    @discardableResult
    public func delete(_ name: SecretName) async throws -> Bool {
        _ = try await key()
        return name == Self.headerName ? false : try await store.delete(name)
    }

    /// The names in their order.
    public func names(service: String?) async throws -> [SecretName] {
        _ = try await key()
        return try await store.names(service: service).filter { $0 != Self.headerName }
    }

    /// The key that values are sealed with; nil without a passphrase. Each call reads the header again: another program
    /// may have locked the store meanwhile.
    private func key() async throws -> AppLockKey? { try await entry(of: try await header())?.key }

    private func entry(of header: AppLockHeader?) async throws -> (key: AppLockKey, header: AppLockHeader)? {
        do {
            return try await lock.entry(of: header)
        } catch let error as SecurityError { throw SecretStoreError(error) }
    }

    private func header() async throws -> AppLockHeader? {
        guard let value = try await store.value(for: Self.headerName) else { return nil }
        return try Self.translating { try value.withExposed { try AppLockHeader(parsing: $0) } }
    }

    private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        try SecretStoreError.translating(body)
    }

    private static let locked = SecretStoreError(
        code: .locked, message: "The app is locked. Give the passphrase first.")
}

/// A place whose content an ``AppLock`` seals: a store of secrets, or files. It has a copy of the lock's
/// ``AppLockHeader``, so that the passphrase opens it wherever it is found.
public protocol LockableStore: Sendable {
    /// The place's header while its key is not open: pass it to ``AppLock/unlock(passphrase:for:)``. Nil if the place
    /// is not locked.
    func lockedHeader() async throws -> AppLockHeader?

    /// Seals everything that is not sealed yet. It can be interrupted at any point and called again. Does nothing
    /// without a passphrase.
    func seal() async throws

    /// Stores everything as it was before the lock, and removes the header last. It can be interrupted at any point and
    /// called again.
    func unseal() async throws
}
