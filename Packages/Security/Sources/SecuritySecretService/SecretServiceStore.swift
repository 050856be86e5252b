// SPDX-License-Identifier: MIT

import CSecret
import Concurrency
public import Security

/// Keeps secrets in the desktop's keyring, over the Secret Service API: GNOME Keyring, KWallet, KeePassXC.
///
/// A locked keyring looks empty, so every call checks the lock first and throws `locked`; a value that is `nil` is
/// really missing. Calls connect to the session bus anew, block a separate thread for some milliseconds, and end early
/// when their task is cancelled.
public struct SecretServiceStore: SecretStore {
    private let allowsPrompt: Bool

    /// The store of the session that the program runs in.
    ///
    /// - Parameter allowsPrompt: True to let a locked keyring ask the person for its password in a window of its own.
    ///   The call then waits for the person. A program without one leaves this off.
    public init(allowsPrompt: Bool = false) {
        self.allowsPrompt = allowsPrompt
    }

    /// Checks that secrets can be stored here, by storing one, reading it back and deleting it.
    ///
    /// - Throws: `SecretStoreError`: `unavailable` without a session bus, a secret service or a default keyring;
    ///   `locked`.
    public func probe() async throws {
        let name = try SecretName(service: "parley.probe", account: SecureRandom.token(byteCount: 16))
        let value = try SecureRandom.bytes(16)
        try await set(Sensitive(value), for: name)
        let isKept = try await self.value(for: name)?.withExposed { $0 == value } == true
        guard try await delete(name), isKept else {
            throw SecretStoreError(
                code: .inputOutput, message: "The keyring lost a secret at once. Use another store.")
        }
    }

    /// Stores a value in the default keyring.
    public func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws {
        try SecretLimit.check(value)
        try await withSession { session in
            let secret = value.withExposed { bytes in
                bytes.withUnsafeBytes { buffer in
                    secret_value_new(
                        buffer.assumingMemoryBound(to: CChar.self).baseAddress, buffer.count,
                        "application/octet-stream")
                }
            }
            defer { secret_value_unref(UnsafeMutableRawPointer(secret)) }
            _ = try session.withAttributes(of: name) { attributes in
                try session.call { error in
                    secret_service_store_sync(
                        session.service, csecret_schema(), attributes, "default", "Parley: \(name)", secret,
                        session.cancellable, &error)
                }
            }
        }
    }

    /// The value of a name.
    public func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? {
        try await withSession { session in
            try session.items(of: name, flags: UInt32(CSECRET_SEARCH_LOAD_SECRETS)) { item in
                guard let secret = secret_item_get_secret(item) else { throw SecretServiceSession.locked }
                defer { secret_value_unref(UnsafeMutableRawPointer(secret)) }
                var count = 0
                let bytes = secret_value_get(secret, &count)
                return Sensitive(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
            }.first
        }
    }

    /// Deletes a name's value.
    @discardableResult
    public func delete(_ name: SecretName) async throws -> Bool {
        try await withSession { session in
            try session.withAttributes(of: name) { attributes in
                // The result is also false if there was no value, which is not an error.
                try session.call { error in
                    let isRemoved = secret_service_clear_sync(
                        session.service, csecret_schema(), attributes, session.cancellable, &error)
                    return isRemoved != 0
                }
            }
        }
    }

    /// The names in their order.
    public func names(service: String?) async throws -> [SecretName] {
        try await withSession { session in
            let found: [SecretName?] = try session.items(service: service) { item in
                guard let table = secret_item_get_attributes(item) else { return nil }
                defer { g_hash_table_unref(table) }
                func text(_ key: StaticString) -> String {
                    let value = g_hash_table_lookup(table, key.utf8Start)
                    return value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
                }
                return try? SecretName(service: text("service"), account: text("account"))
            }
            // Several keyrings may have the same name.
            return Set(found.compactMap { $0 }).sorted()
        }
    }

    private func withSession<Result: Sendable>(
        _ body: @escaping @Sendable (SecretServiceSession) throws -> Result
    ) async throws -> Result {
        try await BlockingCall.run { try SecretServiceSession.loadLibrary() }
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await BlockingCall.run {
                let session = try SecretServiceSession(cancellable: cancellation.pointer)
                try session.requireUnlockedKeyring(allowsPrompt: allowsPrompt)
                return try body(session)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
