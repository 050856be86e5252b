// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Diagnostics
import Foundation
import HTTPServer
import Networking
import Persistence
import Security
import Testing

@testable import ParleyServer

/// The pages of a mail's link without a server of accounts behind them.
@Suite(.timeLimit(.minutes(5))) struct SignInPageTests {
    /// A database that fails.
    private struct BrokenStore: AuthStore {
        let code: String

        func transaction<Result: Sendable>(
            _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
        ) async throws -> Result { throw DatabaseError(code: .init(rawValue: code), message: "It is broken.") }

        func read<Result: Sendable>(
            _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
        ) async throws -> Result { throw DatabaseError(code: .init(rawValue: code), message: "It is broken.") }
    }

    @Test(arguments: [("connection", 503), ("diskFull", 507), ("damaged", 500)])
    func `a database that cannot be used leaves the button`(_ code: String, _ status: Int) async throws {
        let (auth, signing) = (try AuthKeys(root: SymmetricKey()), SigningKeys(current: try SigningKey()))
        let service = AuthService(
            store: BrokenStore(code: code), mailer: CollectingMailer(), keys: { auth }, signing: { signing },
            issuer: "https://auth.example.org")
        var router = Router()
        SignInPages(
            service: service, clients: ClientAddress(proxyCount: 0), languages: .english,
            audit: AuditLog(.disabled, store: nil, clock: .system)
        ).add(to: &router)
        let server = HTTPServer(handler: router.handler)
        let address = try await server.start()
        let link = String(repeating: "a", count: 43)
        let response = try await ServerFixture.makeClient().send(
            HTTPRequest(
                .post, try #require(URL(string: "http://\(address)/verify/confirm")),
                headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: .bytes(Array("token=\(link)".utf8))))
        let page = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
        #expect(response.status == status)
        #expect(page.contains(#"<input type="hidden" name="token" value="\#(link)">"#) == (status != 500), "\(page)")
        #expect((response.headers["Retry-After"] != nil) == (status != 500))
        await server.stop()
    }
}
