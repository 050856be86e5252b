// SPDX-License-Identifier: MIT

/// The name of a secret: a service and an account at it, for example `elevenlabs` and `default`.
///
/// Names are compared byte by byte, as every store does: two ways to write `é` are two names.
public struct SecretName: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The most bytes of UTF-8 of a service or an account.
    public static let byteLimit = 255

    /// The service that the secret is for.
    public let service: String
    /// The account at the service.
    public let account: String

    /// A name.
    ///
    /// - Throws: ``SecretStoreError`` with the code `invalidName` if a part is empty, longer than ``byteLimit``, or has
    ///   a control character in it.
    public init(service: String, account: String) throws {
        for part in [service, account] {
            let isSound =
                (1...Self.byteLimit).contains(part.utf8.count) && !part.utf8.contains { $0 < 0x20 || $0 == 0x7F }
            guard isSound else {
                throw SecretStoreError(
                    code: .invalidName,
                    message: "A service and an account have 1 to \(Self.byteLimit) bytes and no control characters.")
            }
        }
        self.service = service
        self.account = account
    }

    /// True if two names have the same bytes.
    public static func == (left: SecretName, right: SecretName) -> Bool {
        left.service.utf8.elementsEqual(right.service.utf8) && left.account.utf8.elementsEqual(right.account.utf8)
    }

    /// Orders by the bytes: by service, then by account.
    public static func < (left: SecretName, right: SecretName) -> Bool {
        if left.service.utf8.elementsEqual(right.service.utf8) {
            return left.account.utf8.lexicographicallyPrecedes(right.account.utf8)
        }
        return left.service.utf8.lexicographicallyPrecedes(right.service.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        for part in [service, account] {
            for byte in part.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0))
        }
    }

    /// The service and the account. Neither is secret.
    public var description: String { "\(service)/\(account)" }
}
