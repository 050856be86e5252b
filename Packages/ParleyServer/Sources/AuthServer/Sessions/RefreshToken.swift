// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// `<session>.<number>.<code>`: a session's UUID, the token's number, and the base64url of an HMAC-SHA-256.
struct RefreshToken: Equatable {
    let session: String
    let generation: Int64
    private let code: [UInt8]

    /// The token with that number.
    init(_ session: Session, generation: Int64, keys: AuthKeys) throws {
        self.session = session.id
        self.generation = generation
        code = try Self.code(session, generation, keys.refresh[0])
    }

    /// Reads a token strictly; nil for a text that no server of ours can have written.
    init?(_ text: String) {
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 36, let number = Int64(parts[1]), number >= 0,
            String(number) == parts[1], let code = Base64URL.decode(parts[2]), code.count == SHA256.byteCount
        else { return nil }
        session = String(parts[0])
        generation = number
        self.code = code
    }

    /// The text that clients hold.
    var text: String { "\(session).\(generation).\(Base64URL.encode(code))" }

    /// True if the server made this token for that session, with one of the keys.
    func belongs(to session: Session, keys: [SymmetricKey]) throws -> Bool {
        try keys.contains { ConstantTime.areEqual(try Self.code(session, generation, $0), code) }
    }

    private static func code(_ session: Session, _ generation: Int64, _ key: SymmetricKey) throws -> [UInt8] {
        try HMACSHA256.code(
            for: Array("refresh\n\(session.id)\n\(generation)\n".utf8) + Array(session.salt), key: key)
    }
}
