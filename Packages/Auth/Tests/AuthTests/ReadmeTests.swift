// SPDX-License-Identifier: MIT

import Auth
import AuthTestSupport
import FoundationEssentials
import Networking
import Security
import TestKit
import Testing

@Suite struct ReadmeTests {
    /// The README's first program, but that it returns what it prints.
    private func signIn(
        server: URL, folder: String, transport: any HTTPTransport, readCode: () async throws -> String
    ) async throws -> Int {
        let store = try await FileSecretStore.open(folder + "/secrets", protection: .keyFile(folder + "/secrets.key"))
        let client = try GoTrueClient(baseURL: server, transport: transport)
        let session = try SessionController(
            client: client, store: store, lock: SessionLock(path: folder + "/session.lock"))
        try await session.start()
        if await session.token() == nil {
            try await session.requestCode(to: "ada@example.org")
            try await session.verify(code: try await readCode())
        }
        var configuration = HTTPClient.Configuration()
        configuration.baseURL = server
        configuration.tokens = session
        let api = HTTPClient(transport: transport, configuration: configuration)
        let count = try await api.call(.get, "user").count
        await session.close()
        return count
    }

    @Test func `the first program signs in once and calls with the token`() async throws {
        let folder = try TemporaryFolder()
        let url = try #require(URL(string: "https://auth.example.org"))
        let server = ScriptedGoTrue(lifetime: 3_600) { Date() }
        for expectedCodes in [1, 0] {
            var codes = 0
            let count = try await signIn(server: url, folder: folder.path, transport: server) {
                codes += 1
                return server.mail(of: "ada@example.org")?.code ?? ""
            }
            #expect(count > 0)
            #expect(codes == expectedCodes)
        }
    }
}
