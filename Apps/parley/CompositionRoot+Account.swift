// SPDX-License-Identifier: MIT

import Auth
import Diagnostics
import Domain
import FoundationEssentials
import Glibc
import Networking
import Security

extension CompositionRoot {
    /// Opens the account of a server, calls `body` and closes it, also after an error: the answer to a refresh that is
    /// under way has the only valid token from then on.
    func withAccount<Value: Sendable>(
        _ options: AccountOptions, console: Console, _ body: (Account) async throws -> Value
    ) async throws -> Value {
        let account = try await account(try options.settings(in: self), console: console)
        let events = await account.controller.events()
        let log = Task { [logger = logger.with(category: "account")] in
            for await event in events { logger.info("\(event.description, privacy: .public)") }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(account)) } catch { result = .failure(error) }
        await account.controller.close()
        await log.value
        return try result.get()
    }

    private func account(_ settings: AccountSettings, console: Console) async throws -> Account {
        var settings = settings
        guard let server = URL(string: settings.server) else {
            throw DomainError.file("\(paths.account.printable) names no server. Give --server URL once.")
        }
        if settings.store == .auto {
            settings.store = try await automaticStore()
            if settings.store == .file { console.progress("No keyring here: the session is kept in a file.") }
        }
        let store: LockedSecretStore
        do { store = try await SecretStoreChoice(settings.store).open(in: self, console: console) } catch let error
            as SecretStoreError where error.code == .unavailable
        {
            // Reported as an error of the session, whose advice names a remedy.
            throw AuthError(.storage, error.message, underlying: error)
        }
        let client = try GoTrueClient(
            baseURL: server, apiKey: try await apiKey(settings, in: store), clientName: Self.clientName,
            transport: try transport(to: server))
        let controller = try SessionController(
            client: client, store: store, lock: SessionLock(path: paths.sessionLock))
        return Account(controller: controller, server: server, settings: settings)
    }

    private func apiKey(_ settings: AccountSettings, in store: any SecretStore) async throws -> String? {
        if let key = environment["PARLEY_API_KEY"], !key.isEmpty { return key }
        guard let name = try settings.apiKey.map(SecretStoreChoice.name) else { return nil }
        guard let key = try await store.value(for: name) else { throw SecretNotFound(name: name) }
        return key.withExposed { String(decoding: $0, as: UTF8.self) }
    }

    /// The client's name in the server's list of sessions: "parley/0.1.0 (laptop)".
    private static var clientName: String {
        var bytes = [CChar](repeating: 0, count: 65)
        let host =
            gethostname(&bytes, 64) == 0
            ? String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        let name = host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        return "parley/\(Program.version)" + (name.isEmpty ? "" : " (\(name))")
    }
}
