// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials
import Persistence
import Security

/// The keys in rows that all instances of a server read: the signing keys, sealed by the root key in use, and the use
/// of the root keys.
struct SharedKeys: Sendable {
    /// The time between a rotation and the first use of the new key. Instances read the rows each half minute.
    static let notice: Duration = .seconds(120)
    private static let name = "signing"
    private static let useName = "root"

    let database: any ServerDatabase
    let roots: RootKeyRing

    /// The stored signing keys, and the id of the root key that sealed them.
    typealias Opened = (record: SigningKeyRecord, root: String)

    /// The stored keys; those of `candidate` are stored if the database has none.
    ///
    /// - Throws: ``ServerSetupError/otherRootKey`` if another root key sealed them.
    func record(or candidate: SigningKeyRecord) async throws -> Opened {
        let root = roots.inFile[0]
        let sealed = try Self.seal(candidate, root)
        return try await database.write { writer in
            try await writer.execute(
                """
                INSERT INTO server_key (name, sealed) VALUES (\(Self.name), \(sealed)) ON CONFLICT (name) DO NOTHING
                """)
            return try await stored(writer) ?? (candidate, root.id)
        }
    }

    /// The stored keys.
    ///
    /// - Throws: ``ServerSetupError``.
    func record() async throws -> Opened {
        guard let opened = try await database.read({ try await stored($0) }) else {
            throw ServerSetupError.rootKeyVanished
        }
        return opened
    }

    /// Announces a new key: it signs after ``notice``, and verifies at once.
    func rotate(to next: SigningKey, at now: AuthTime, tokenLifetime: Duration) async throws {
        try await change(at: now) {
            try $0.rotated(to: next, at: now, tokenLifetime: tokenLifetime, notice: Self.notice)
        }
    }

    /// Seals the keys with the root key in use.
    func seal(at now: AuthTime) async throws { try await change(at: now) { $0 } }

    private func change(
        at now: AuthTime, _ body: @escaping @Sendable (SigningKeyRecord) throws -> SigningKeyRecord
    ) async throws {
        let root = try roots.keys(at: now)[0]
        try await database.write { writer in
            guard let record = try await stored(writer)?.record else { throw ServerSetupError.rootKeyVanished }
            let sealed = try Self.seal(body(record), root)
            try await writer.execute("UPDATE server_key SET sealed = \(sealed) WHERE name = \(Self.name)")
        }
    }

    nonisolated(nonsending) private func stored(_ rows: any SQLReader) async throws -> Opened? {
        guard let sealed = try await Self.bytes(Self.name, rows) else { return nil }
        for root in roots.inFile {
            guard let bytes = try? root.shared.open(sealed, authenticating: Array(Self.name.utf8)) else { continue }
            return (try SigningKeyRecord(bytes), root.id)
        }
        throw ServerSetupError.otherRootKey
    }

    private static func seal(_ record: SigningKeyRecord, _ root: RootKey) throws -> [UInt8] {
        try record.encoded().withExposed { try root.shared.seal($0, authenticating: Array(name.utf8)) }
    }

    nonisolated(nonsending) private static func bytes(_ name: String, _ rows: any SQLReader) async throws -> [UInt8]? {
        try await rows.first("SELECT sealed FROM server_key WHERE name = \(name)", as: [UInt8].self)
    }

    // MARK: The use of root keys

    /// The stored use; nil before a server with a key file has started.
    func use() async throws -> RootKeyUse? {
        try await database.read { try await Self.bytes(Self.useName, $0) }.map { try Self.use($0) }
    }

    /// Changes the stored use. If none is stored, it changes `first` and stores the result.
    func changeUse(
        or first: RootKeyUse, _ body: @escaping @Sendable (RootKeyUse) -> RootKeyUse
    ) async throws -> RootKeyUse {
        try await database.write { writer in
            let stored = try await Self.bytes(Self.useName, writer).map { try Self.use($0) }
            let changed = body(stored ?? first)
            guard changed != stored else { return changed }
            let bytes = [UInt8](try JSONEncoder().encode(changed))
            try await writer.execute(
                """
                INSERT INTO server_key (name, sealed) VALUES (\(Self.useName), \(bytes))
                ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed
                """)
            return changed
        }
    }

    private static func use(_ bytes: [UInt8]) throws -> RootKeyUse {
        try JSONDecoder().decode(RootKeyUse.self, from: Data(bytes))
    }
}
