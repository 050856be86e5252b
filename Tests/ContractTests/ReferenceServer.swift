// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Networking
import ParleyServer
import SyncTransports
import TestKit
import Testing

/// A reference server in this process, with an empty catalogue, and an account that has signed in to it over HTTP.
struct ReferenceServer: Sendable {
    let practice: PracticeServer
    let client: HTTPClient
    /// The server's catalogue, as its operator changes it.
    let catalogue: SQLiteCueStore

    /// The same server without an account's token.
    let signedOut: PracticeServer
    /// A server that refuses connections.
    let unreachable: PracticeServer

    /// Runs `body` with a server of its own, and ends it.
    static func run(
        evaluator: (any SoundEvaluator)? = nil, change: (inout ServerOptions) -> Void = { _ in },
        _ body: (ReferenceServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let home = folder.path
        defer { withExtendedLifetime(folder) {} }
        var options = ServerOptions(home: home, mail: .folder(home + "/mail"))
        options.answerStep = .zero
        // How often programs that meet try again depends on the machine.
        options.callsPerAccountAndMinute = 0
        options.sync.callsPerMinute = 0
        if let evaluator { options.evaluator = evaluator }
        change(&options)
        let server = try await ParleyServer.start(options)
        do {
            let transport = try transport()
            let token = try await signIn(server.address, transport, mail: home + "/mail/new")
            var configuration = HTTPClient.Configuration()
            configuration.baseURL = URL(string: server.address)
            configuration.tokens = InMemoryAccessTokens(AccessToken(value: token, session: "ada"))
            configuration.cache = InMemoryCacheStore()
            let address = try #require(URL(string: server.address))
            let database = try await PracticeDatabase(path: home + "/practice.sqlite")
            let catalogue = SQLiteCueStore(database)
            try await catalogue.remove(StarterCues.all.map(\.id))
            let client = HTTPClient(transport: transport, configuration: configuration)
            try await body(
                ReferenceServer(
                    practice: PracticeServer(address: address, client: client), client: client, catalogue: catalogue,
                    signedOut: PracticeServer(address: address, client: transport),
                    unreachable: PracticeServer(
                        address: try #require(URL(string: "http://127.0.0.1:1")), client: transport)))
            await database.close()
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// A group of the account's devices at the server's relay.
    func relay(_ group: [UInt8]) -> RelayTransport { RelayTransport(client: client, group: group) }

    /// A client that sends requests once, with another token or none.
    func client(token: String?, address: String? = nil) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.baseURL = URL(string: address ?? practice.address.absoluteString)
        configuration.retry = nil
        if let token { configuration.tokens = InMemoryAccessTokens(AccessToken(value: token, session: "any")) }
        return HTTPClient(transport: try Self.transport(), configuration: configuration)
    }

    private static func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }

    private static func signIn(_ address: String, _ transport: CurlTransport, mail: String) async throws -> String {
        func post(_ path: String, _ fields: [String: String]) async throws -> [UInt8] {
            let url = try #require(URL(string: address + path))
            return try await transport.bytes(for: HTTPRequest(.post, url, json: fields))
        }
        _ = try await post("/otp", ["email": "ada@example.org"])
        var names: [String] = []
        try await eventually("a mail arrives") {
            names = (try? FileManager.default.contentsOfDirectory(atPath: mail)) ?? []
            return !names.isEmpty
        }
        let text = try String(contentsOfFile: mail + "/" + names[0], encoding: .utf8)
        let code = try #require(text.firstMatch(of: /\ {4}([0-9]{6})/)?.output.1)
        let answer = try await post("/verify", ["type": "email", "email": "ada@example.org", "token": String(code)])
        let tokens = try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any]
        return try #require(tokens?["access_token"] as? String)
    }
}
