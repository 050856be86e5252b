// SPDX-License-Identifier: MIT

import Auth
import Concurrency
import DataAssistant
import Diagnostics
import Domain
import FoundationEssentials
import Glibc
import Localization
import MCP
import Networking
import ProductVersion
import Security
import TerminalKit

/// Sends requests, and opens connections for other protocols.
typealias Transport = any HTTPTransport & ByteStreamConnector

extension CompositionRoot {
    /// The pinned keys of servers.
    var trust: TrustFile { TrustFile(path: paths.configuration + "/trust.json") }

    /// The configuration of every connection of the program: pins, authorities, plain http, proxy.
    ///
    /// - Parameters:
    ///   - host: The host that is asked first; this machine itself is asked past a proxy.
    ///   - allowsPlainHTTP: The person allows plain http to it, wherever it is.
    /// - Throws: `DomainError.file` if the pins cannot be read: then nothing is connected.
    func transportConfiguration(to host: String?, allowsPlainHTTP: Bool = false) throws -> CurlTransport.Configuration {
        let host = host?.lowercased() ?? ""
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = "parley/\(ProductVersion.current)"
        configuration.pins = try trust.load()
        configuration.pinAdvice = { host in
            "If the server's operator has replaced its key, run: parley trust pin \(host.printable)"
        }
        // The same variable as for curl's command line, Go and Python.
        configuration.certificateAuthorityFile = environment["SSL_CERT_FILE"].flatMap {
            $0.isEmpty ? nil : $0
        }
        if allowsPlainHTTP { configuration.plainHTTPHosts.insert(host) }
        if CurlTransport.Configuration.loopbackHosts.contains(host) { configuration.proxy = .none }
        return configuration
    }

    /// The states of the network; nil where a proxy is set, since what it needs is unknown.
    var network: ServerConnectivity.Network? {
        let variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        return variables.contains { environment[$0]?.isEmpty == false } ? nil : Reachability()
    }

    /// A transport; in development builds one under the switches of the developer's page.
    func transport(_ configuration: CurlTransport.Configuration) throws -> Transport {
        let transport = try CurlTransport(configuration: configuration)
        #if DEBUG
            return DeveloperTransport(transport, link: developer)
        #else
            return transport
        #endif
    }

    #if DEBUG
        /// The way to the developer's page.
        var developer: DeveloperLink { DeveloperLink(paths.developerDesk) }
    #endif

    /// A transport to a model.
    func transport(to settings: ModelSettings) throws -> Transport {
        try transport(
            try transportConfiguration(
                to: URL(string: settings.baseURL)?.host(percentEncoded: false),
                allowsPlainHTTP: settings.allowsPlainHTTP))
    }

    /// A transport to an account's server, for uploads, too.
    func transport(to server: URL) throws -> Transport {
        var configuration = try transportConfiguration(to: server.host(percentEncoded: false))
        configuration.traces = requests
        return try transport(configuration)
    }

    /// A transport to a server of tools; nil for one that is a program.
    func transport(to server: MCPServer) throws -> Transport? {
        guard case .http(let endpoint) = server.connection else { return nil }
        // The scheme of the entry in mcp.json was checked before.
        return try transport(
            try transportConfiguration(
                to: endpoint.url.host(percentEncoded: false),
                allowsPlainHTTP: endpoint.url.scheme?.lowercased() == "http"))
    }

    /// A log of requests that calls `observe` with each.
    func networkLog(observe: @escaping @Sendable (NetworkExchange) -> Void) -> NetworkLog {
        NetworkLog(logger: logger.with(category: "network"), observe: observe)
    }

    /// A client for HTTP with every stage that needs no account, logging into `log`.
    func httpClient(_ connections: CurlTransport.Configuration, log: NetworkLog) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.log = log
        return HTTPClient(transport: try transport(connections), configuration: configuration)
    }

    /// Opens the account of a server, calls `body` and closes it, also after an error: the answer to a refresh that is
    /// under way has the only valid token from then on.
    func withAccount<Value: Sendable>(
        _ options: AccountOptions, _ body: (Account) async throws -> Value
    ) async throws -> Value {
        let account = try await account(try options.settings(in: self))
        let events = await account.controller.events()
        let log = Task { [logger = logger.with(category: "account")] in
            for await event in events { logger.info("\(event.description, privacy: .public)") }
        }
        return try await withCleanup {
            try await body(account)
        } cleanup: {
            await account.controller.close()
            await log.value
        }
    }

    private func account(_ settings: AccountSettings) async throws -> Account {
        var settings = settings
        guard let server = URL(string: settings.server) else {
            throw DomainError.file("\(paths.account.printable) names no server. Give --server URL once.")
        }
        if settings.store == .auto {
            settings.store = try await automaticStore()
            if settings.store == .file { console.progress("No keyring here: the session is kept in a file.") }
        }
        let store: LockedSecretStore
        do { store = try await SecretStoreChoice(settings.store).open(in: self) } catch let error
            as SecretStoreError where error.code == .unavailable
        {
            // Reported as an error of the session, whose advice names a remedy.
            throw AuthError(.storage, error.message, underlying: error)
        }
        let client = try GoTrueClient(
            baseURL: server, apiKey: try await apiKey(settings, in: store), clientName: Self.clientName,
            language: await language().tag, transport: try transport(to: server))
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

    /// The name in the server's list of sessions: "parley/0.1.0 (laptop)".
    private static var clientName: String {
        var bytes = [CChar](repeating: 0, count: 65)
        let host =
            gethostname(&bytes, 64) == 0
            ? String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
        let name = host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        return "parley/\(ProductVersion.current)" + (name.isEmpty ? "" : " (\(name))")
    }
}
