// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// The records of one server in a secret store. A record is replaced as a whole, which every ``SecretStore`` does at
/// once or not at all: the old refresh token is deleted only when the new one is stored.
struct AuthRecords: Sendable {
    private let store: any SecretStore
    private let sessionName: SecretName
    private let pendingName: SecretName

    init(store: any SecretStore, server: URL) throws {
        self.store = store
        var address = server.absoluteString
        if address.utf8.count > 200 { address = Base64URL.encode(try SHA256.hash(Array(address.utf8))) }
        sessionName = try SecretName(service: "parley-auth", account: "session \(address)")
        pendingName = try SecretName(service: "parley-auth", account: "pending \(address)")
    }

    func session() async throws -> SessionRecord? { try await record(SessionRecord.self, sessionName) }

    func pending() async throws -> PendingSignIn? { try await record(PendingSignIn.self, pendingName) }

    func save(_ record: SessionRecord) async throws { try await save(record, sessionName) }

    func save(_ record: PendingSignIn) async throws { try await save(record, pendingName) }

    func deleteSession() async throws { try await delete(sessionName) }

    func deletePending() async throws { try await delete(pendingName) }

    private func record<Record: VersionedRecord>(_ type: Record.Type, _ name: SecretName) async throws -> Record? {
        guard let value = try await translating({ try await store.value(for: name) }) else { return nil }
        let record = value.withExposed { try? JSONDecoder().decode(type, from: Data($0)) }
        guard let record, record.version == 1 else {
            throw AuthError(
                .storage, "The stored sign-in is of another version or damaged. Sign in again to replace it.")
        }
        return record
    }

    private func save(_ record: some Encodable & Sendable, _ name: SecretName) async throws {
        let value = Sensitive(Array(try JSONEncoder().encode(record)))
        try await translating { try await store.set(value, for: name) }
    }

    private func delete(_ name: SecretName) async throws {
        try await translating { _ = try await store.delete(name) }
    }

    private func translating<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as SecretStoreError {
            throw AuthError(.storage, "The secret store failed: \(error.message)", underlying: error)
        }
    }
}

/// A record that names the version of its format.
protocol VersionedRecord: Codable, Sendable {
    var version: Int { get }
}

/// The session in the secret store. The access token is not in it: it exists in memory only.
struct SessionRecord: VersionedRecord, Equatable {
    var version = 1
    /// The id of the session, a new one after each sign-in, made here; distinguishes a late answer for an old session
    /// from one for this.
    let id: String
    /// The signed-in user.
    var user: AuthUser?
    /// The session's id at the server; nil if it is unknown.
    var serverSession: String?
    /// The newest refresh token.
    var refreshToken: String
}
