// SPDX-License-Identifier: MIT

/// Keeps secrets such as API keys and refresh tokens, by service and account.
///
/// Calls may be made from any task and several at once; each is done or not done as a whole. `SecurityTestSupport` has
/// the contract suite of all stores.
public protocol SecretStore: Sendable {
    /// Stores a value, in place of the name's earlier one.
    ///
    /// - Parameter value: At most ``SecretLimit/valueByteCount`` bytes; an empty value is valid.
    func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws

    /// The value of a name; `nil` if it has none. A store that cannot be read now throws.
    func value(for name: SecretName) async throws -> Sensitive<[UInt8]>?

    /// Deletes a name's value.
    ///
    /// - Returns: True if it had one.
    @discardableResult
    func delete(_ name: SecretName) async throws -> Bool

    /// The names that have values, in order; only those of `service` if it is given.
    func names(service: String?) async throws -> [SecretName]
}

/// The limits of every ``SecretStore``.
public enum SecretLimit {
    /// The most bytes of a value; an ``AppLock`` adds its envelope.
    public static let valueByteCount = 65_536

    /// Throws if a value is longer than every store can keep; a store calls it before it does anything.
    ///
    /// - Throws: ``SecretStoreError`` with the code `valueTooLarge`.
    public static func check(_ value: Sensitive<[UInt8]>) throws {
        let count = value.withExposed(\.count)
        let limit = valueByteCount + (AppLockKey.isEnvelope(value) ? AppLockKey.envelopeOverhead : 0)
        guard count <= limit else {
            throw SecretStoreError(
                code: .valueTooLarge, message: "A secret has at most \(valueByteCount) bytes; this one has \(count).")
        }
    }
}
