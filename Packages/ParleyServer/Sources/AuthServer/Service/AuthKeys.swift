// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// The server's secret: with it and the database, valid codes and refresh tokens can be made.
public struct AuthKeys: Sendable {
    private let address: SymmetricKey
    private let proof: SymmetricKey
    private let network: SymmetricKey
    let refresh: SymmetricKey

    /// Derives one key for each use, so that a value of one kind is never valid as another.
    public init(root: SymmetricKey) throws {
        address = try Self.key(root, "address")
        proof = try Self.key(root, "proof")
        network = try Self.key(root, "network")
        refresh = try Self.key(root, "refresh")
    }

    private static func key(_ root: SymmetricKey, _ use: String) throws -> SymmetricKey {
        try HKDF.key(from: root, salt: [UInt8](), info: Array("parley auth 1 \(use)".utf8))
    }

    /// An unknown address with a mail that was used up: every attempt on it is refused and not stored.
    static func nobody(at now: AuthTime) -> AddressRecord {
        let code = Data(repeating: 0, count: 32)
        return AddressRecord(key: code, proofs: [Proof(link: code, code: code, createdAt: now, usedAt: now)])
    }

    func code(for address: EmailAddress) throws -> Data {
        Data(try HMACSHA256.code(for: Array(address.value.utf8), key: self.address))
    }

    /// A network's keyed hash, stored beside an address instead of the network: rows do not reveal a person's location.
    func tag(of prefix: NetworkPrefix) throws -> String {
        Base64URL.encode(try HMACSHA256.code(for: Array(prefix.value.utf8), key: network).prefix(12))
    }

    func code(forLink token: String) throws -> Data {
        Data(try HMACSHA256.code(for: Array("link\n\(token)".utf8), key: proof))
    }

    /// The code's authentication code, bound to the address and the time of the mail, so that equal codes of two mails
    /// do not look equal.
    func code(forCode code: String, of address: Data, at time: AuthTime) throws -> Data {
        Data(
            try HMACSHA256.code(
                for: Array("code\n\(time.milliseconds)\n\(code)\n".utf8) + Array(address), key: proof))
    }

    func code(forAuthorization code: String) throws -> Data {
        Data(try HMACSHA256.code(for: Array("authorization\n\(code)".utf8), key: proof))
    }
}
