// SPDX-License-Identifier: MIT

import FoundationEssentials
public import Security

/// The server's secrets: with one of them and the database, valid codes and refresh tokens can be made.
///
/// The root key in use makes everything new. What other root keys have made stays valid while they are accepted.
public struct AuthKeys: Sendable {
    /// The keys that one root key gives. A value of one kind is never valid as another.
    private struct Derived {
        let address: SymmetricKey
        let proof: SymmetricKey
        let network: SymmetricKey
        let refresh: SymmetricKey

        init(_ root: SymmetricKey) throws {
            address = try Self.key(root, "address")
            proof = try Self.key(root, "proof")
            network = try Self.key(root, "network")
            refresh = try Self.key(root, "refresh")
        }

        private static func key(_ root: SymmetricKey, _ use: String) throws -> SymmetricKey {
            try HKDF.key(from: root, salt: [UInt8](), info: Array("parley auth 1 \(use)".utf8))
        }

        func code(for address: EmailAddress) throws -> Data {
            Data(try HMACSHA256.code(for: Array(address.value.utf8), key: self.address))
        }

        func tag(of prefix: NetworkPrefix) throws -> String {
            Base64URL.encode(try HMACSHA256.code(for: Array(prefix.value.utf8), key: network).prefix(12))
        }

        func proof(_ text: String) throws -> Data { Data(try HMACSHA256.code(for: Array(text.utf8), key: proof)) }
    }

    private let current: Derived
    private let others: [Derived]

    /// - Parameters:
    ///   - root: The root key in use.
    ///   - others: The other root keys that are accepted.
    public init(root: SymmetricKey, others: [SymmetricKey] = []) throws {
        current = try Derived(root)
        self.others = try others.map { try Derived($0) }
    }

    private var all: [Derived] { [current] + others }

    /// The keys of refresh tokens; the first one makes them.
    var refresh: [SymmetricKey] { all.map(\.refresh) }

    /// An unknown address with a mail that was used up: every attempt on it is refused and not stored.
    static func nobody(at now: AuthTime) -> AddressRecord {
        let code = Data(repeating: 0, count: 32)
        return AddressRecord(key: code, proofs: [Proof(link: code, code: code, createdAt: now, usedAt: now)])
    }

    /// An address and a network under each key.
    ///
    /// - Parameter prefix: The network; nil for the operator's acts.
    func names(of address: EmailAddress, from prefix: NetworkPrefix? = nil) throws -> AddressNames {
        AddressNames(
            key: try current.code(for: address), others: try others.map { try $0.code(for: address) },
            network: try prefix.map { try current.tag(of: $0) } ?? "",
            otherNetworks: Set(try others.compactMap { key in try prefix.map { try key.tag(of: $0) } }))
    }

    func code(forLink token: String) throws -> Data { try current.proof("link\n\(token)") }

    /// The link's authentication code under each key.
    func codes(forLink token: String) throws -> [Data] { try all.map { try $0.proof("link\n\(token)") } }

    /// The code's authentication code, bound to the address and the time of the mail, so that equal codes of two mails
    /// do not look equal.
    func code(forCode code: String, of names: AddressNames, at time: AuthTime) throws -> Data {
        try Self.code(code, of: names.key, at: time, current)
    }

    /// The same under each key.
    func codes(forCode code: String, of names: AddressNames, at time: AuthTime) throws -> [Data] {
        try zip(all, names.keys).map { key, address in try Self.code(code, of: address, at: time, key) }
    }

    private static func code(_ code: String, of address: Data, at time: AuthTime, _ key: Derived) throws -> Data {
        Data(
            try HMACSHA256.code(
                for: Array("code\n\(time.milliseconds)\n\(code)\n".utf8) + Array(address), key: key.proof))
    }

    func code(forAuthorization code: String) throws -> Data { try current.proof("authorization\n\(code)") }

    /// The authorization code's authentication code under each key.
    func codes(forAuthorization code: String) throws -> [Data] {
        try all.map { try $0.proof("authorization\n\(code)") }
    }
}
