// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469 §2.4). It survives a renewal that keeps the key.
///
/// Pin at least two keys for a host: the one in use and one that is kept offline, or a lost key locks every client out.
/// `openssl x509 -pubkey -noout <cert.pem | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
/// shows a certificate's pin.
public struct PublicKeyPin: Sendable, Hashable {
    /// The digest in base64, 44 characters.
    public let base64: String

    /// A pin by its digest in base64.
    ///
    /// - Returns: `nil` if that is not the base64 of 32 bytes.
    public init?(base64: String) {
        guard let digest = Data(base64Encoded: base64), digest.count == 32 else { return nil }
        self.base64 = digest.base64EncodedString()
    }
}
