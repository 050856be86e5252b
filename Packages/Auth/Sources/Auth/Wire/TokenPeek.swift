// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The claims of an access token, unverified: hints for this program, which grants no rights by them.
struct TokenPeek: Decodable {
    /// The session's id at the server.
    let session: String?
    /// Seconds since 1970.
    let issuedAt: Double?
    /// Seconds since 1970.
    let expiresAt: Double?

    private enum CodingKeys: String, CodingKey {
        case session = "session_id"
        case issuedAt = "iat"
        case expiresAt = "exp"
    }

    /// Reads the claims of a JSON Web Token (RFC 7519); nil for tokens of another kind.
    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let body = Base64URL.decode(parts[1]),
            let claims = try? JSONDecoder().decode(TokenPeek.self, from: Data(body))
        else { return nil }
        self = claims
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        session = try? values.decode(String.self, forKey: .session)
        issuedAt = try? values.decode(Double.self, forKey: .issuedAt)
        expiresAt = try? values.decode(Double.self, forKey: .expiresAt)
    }
}

/// Base 64 in the alphabet for addresses, without padding (RFC 4648 §5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The decoded bytes; nil for a text that is not base64url.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).map(Array.init)
    }
}
