// SPDX-License-Identifier: MIT

import Security

/// Proof Key for Code Exchange, method S256 (RFC 7636).
enum PKCE {
    /// 43 characters: a SHA-256 in base64url.
    static func isChallenge(_ text: String) -> Bool { Base64URL.decode(text)?.count == SHA256.byteCount }

    /// True if a verifier (§4.1: 43 to 128 unreserved characters) fits a challenge.
    static func isValid(verifier: String, for challenge: String) throws -> Bool {
        let isVerifier = (43...128).contains(verifier.utf8.count) && verifier.utf8.allSatisfy(isUnreserved)
        guard isVerifier else { return false }
        return ConstantTime.areEqual(
            Array(Base64URL.encode(try SHA256.hash(Array(verifier.utf8))).utf8), Array(challenge.utf8))
    }

    /// RFC 3986 §2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
