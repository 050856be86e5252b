// SPDX-License-Identifier: MIT

import Auth
import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Foundation
import Networking
import ParleyServer
import Security
import TestKit
import Testing

/// Refreshes whose answers were lost, at a real server that repeats no answer that was used.
@Suite(.timeLimit(.minutes(5))) struct LostRefreshTests {
    private let fixture: ServerFixture

    init() async throws {
        fixture = try await ServerFixture { $0.policy.refreshGrace = .zero }
    }

    private func refresh(_ token: String) async throws -> ServerFixture.Tokens {
        try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": token])
    }

    private func refusal(_ token: String) async throws -> String? {
        try await fixture.problem("/token?grant_type=refresh_token", ["refresh_token": token]).errorCode
    }

    @Test(arguments: ["/user", "/cues", "/account/export"])
    func `a refresh is answered again until its access token is used`(_ path: String) async throws {
        let mail = try await fixture.askForMail()
        let first = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        #expect(try await fixture.get(path, token: first.accessToken).status == 200)
        let lost = try await refresh(first.refreshToken)
        // A request that was on its way.
        #expect(try await fixture.get(path, token: first.accessToken).status == 200)
        fixture.clock.advance(by: .seconds(3_600))
        let again = try await refresh(first.refreshToken)
        #expect(again.refreshToken == lost.refreshToken)
        #expect(try await fixture.get(path, token: again.accessToken).status == 200)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await refusal(first.refreshToken) == "refresh_token_already_used")
        #expect(try await fixture.get(path, token: again.accessToken).status == 403)
        await fixture.stop()
    }

    /// The machine slept after the server had exchanged the token.
    @Test func `a client whose answer was lost goes on an hour later`() async throws {
        let (clock, network) = (ManualClock(), LosingTransport(fixture.client))
        let time = ClientClock(clock)
        let client = try GoTrueClient(
            baseURL: try #require(URL(string: fixture.server.address)), transport: network, clock: time)
        let controller = try SessionController(
            client: client, store: InMemorySecretStore(), lock: .inProcess(), clock: time)
        try await controller.start()
        let known = try fixture.mailNames
        try await controller.requestLink(to: "ada@example.org")
        let mail = try ServerFixture.proofs(in: await fixture.mail(besides: known))
        try await controller.verify(code: mail.code)
        _ = try await controller.fetchUser()
        let token = try #require(await controller.token())
        network.loses.withLock { $0 = true }
        let failure = await #expect(throws: NetworkError.self) { try await controller.refresh(token) }
        #expect(failure?.code == .connectionLost)
        for _ in 0..<2 {
            fixture.clock.advance(by: .seconds(3_600))
            clock.advance(by: .seconds(3_600), wakes: false)
            if network.loses.withLock({ $0 }) { _ = await controller.token() }
            network.loses.withLock { $0 = false }
        }
        _ = try await controller.fetchUser()
        #expect(await controller.state == .signedIn)
        let shown = network.shown.withLock { $0 }
        #expect(shown.count == 3 && Set(shown).count == 1, "the same token each time")
        fixture.clock.advance(by: .seconds(1))
        #expect(try await refusal(try #require(shown.first)) == "refresh_token_already_used")
        await controller.close()
        await fixture.stop()
    }
}

/// Loses answers to refreshes on their way back.
private final class LosingTransport: HTTPTransport {
    private let base: CurlTransport
    let loses = Guarded(false)
    /// The tokens that were shown.
    let shown = Guarded([String]())

    init(_ base: CurlTransport) {
        self.base = base
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await base.send(request)
        guard request.url.query()?.contains("refresh_token") == true else { return response }
        if case .bytes(let bytes) = request.body {
            let body = try JSONDecoder().decode([String: String].self, from: Data(bytes))
            shown.withLock { $0.append(body["refresh_token"] ?? "") }
        }
        guard loses.withLock({ $0 }) else { return response }
        _ = try await response.body.collect(upTo: 1 << 16)
        throw NetworkError(code: .connectionLost, message: "m")
    }
}
