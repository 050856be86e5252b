// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence
import Security

/// The signing keys in a row that all instances of a server read, sealed by the root key that they share.
struct SharedKeys: Sendable {
    /// The time between a rotation and the first signature. Instances read the row each half minute.
    static let notice: Duration = .seconds(120)
    private static let name = "signing"

    private let database: any ServerDatabase
    private let cipher: AEAD

    init(_ database: any ServerDatabase, root: Sensitive<[UInt8]>) throws {
        self.database = database
        cipher = try AEAD(
            key: root.withExposed { bytes in
                try HKDF.key(from: bytes, salt: [UInt8](), info: Array("parley server 1 shared keys".utf8))
            })
    }

    /// The stored keys; those of `candidate` are stored if the database has none.
    ///
    /// - Throws: ``ServerSetupError/otherRootKey`` if another root key sealed them.
    func record(or candidate: SigningKeyRecord) async throws -> SigningKeyRecord {
        let sealed = try seal(candidate)
        return try await database.write { writer in
            try await writer.execute(
                """
                INSERT INTO server_key (name, sealed) VALUES (\(Self.name), \(sealed)) ON CONFLICT (name) DO NOTHING
                """)
            return try await stored(writer) ?? candidate
        }
    }

    /// The stored keys.
    ///
    /// - Throws: ``ServerSetupError``.
    func record() async throws -> SigningKeyRecord {
        guard let record = try await database.read({ try await stored($0) }) else {
            throw ServerSetupError.rootKeyVanished
        }
        return record
    }

    /// Announces a new key: it signs after ``notice``, and verifies at once.
    func rotate(to next: SigningKey, at now: AuthTime, tokenLifetime: Duration) async throws {
        try await database.write { writer in
            guard let record = try await stored(writer) else { throw ServerSetupError.rootKeyVanished }
            let sealed = try seal(
                record.rotated(to: next, at: now, tokenLifetime: tokenLifetime, notice: Self.notice))
            try await writer.execute("UPDATE server_key SET sealed = \(sealed) WHERE name = \(Self.name)")
        }
    }

    nonisolated(nonsending) private func stored(_ rows: any SQLReader) async throws -> SigningKeyRecord? {
        let sealed = try await rows.first(
            "SELECT sealed FROM server_key WHERE name = \(Self.name)", as: [UInt8].self)
        guard let sealed else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try cipher.open(sealed, authenticating: Array(Self.name.utf8))
        } catch {
            throw ServerSetupError.otherRootKey
        }
        return try SigningKeyRecord(bytes)
    }

    private func seal(_ record: SigningKeyRecord) throws -> [UInt8] {
        try record.encoded().withExposed { try cipher.seal($0, authenticating: Array(Self.name.utf8)) }
    }
}
