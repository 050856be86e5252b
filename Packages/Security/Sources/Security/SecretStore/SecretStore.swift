// SPDX-License-Identifier: MIT

/// Keeps secrets such as API keys and refresh tokens, by service and account.
///
/// Calls may come from any task and several at once; each is done or not done as a whole. `SecurityTestSupport` has the
/// contract that every store keeps.
public protocol SecretStore: Sendable {
    /// Stores a value, in place of the one that the name had.
    ///
    /// - Parameter value: At most ``SecretLimit/valueByteCount`` bytes; none at all is a value, too.
    func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws

    /// The value of a name; `nil` when there is none. A store that cannot be read now throws.
    func value(for name: SecretName) async throws -> Sensitive<[UInt8]>?

    /// Forgets a name, and says whether it had a value.
    @discardableResult
    func delete(_ name: SecretName) async throws -> Bool

    /// The names that have values, in their order; only those of one service if that is given.
    func names(service: String?) async throws -> [SecretName]
}

/// What every ``SecretStore`` can keep.
public enum SecretLimit {
    /// The most bytes of a value; what an ``AppLock`` seals is longer by its envelope.
    public static let valueByteCount = 65_536

    /// Throws when a value is longer than every store can keep; a store calls it before it does anything.
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
