// SPDX-License-Identifier: MIT

import AuthTestSupport
import Diagnostics
import FoundationEssentials
import Networking
import Security
import Testing

@testable import Auth

@Suite struct SessionTests {
    @Test func `signing in by code, refreshing, signing out`() async throws {
        let fixture = try SessionFixture()
        let events = await fixture.controller.events()
        #expect(await fixture.controller.token() == nil)
        try await fixture.signIn()
        #expect(await fixture.controller.state == .signedIn)
        let token = try #require(await fixture.controller.token())
        let newer = try await fixture.controller.refresh(token)
        #expect(newer.session == token.session && newer.value != token.value)
        #expect(await fixture.controller.replace(token, with: newer))
        #expect(try await fixture.controller.fetchUser().email == fixture.email)
        try await fixture.controller.signOut()
        #expect(await fixture.controller.state == .signedOut)
        #expect(fixture.server.openSessions.isEmpty)
        #expect(try await fixture.store.names(service: nil).isEmpty)
        #expect(await !fixture.controller.replace(token, with: newer))
        await fixture.controller.close()
        let seen = await events.reduce(into: []) { $0.append("\($1)") }
        #expect(
            seen == ["link_requested", "sign_in_succeeded", "token_refreshed", "signed_out(requested)"])
    }

    @Test func `no secret store has an access token, and no event an address`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        for name in try await fixture.store.names(service: nil) {
            let text = try #require(try await fixture.store.value(for: name)).withExposed {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(!text.contains(token.value) && !text.contains("eyJ"))
        }
        await fixture.controller.close()
    }

    @Test func `another program finishes what one began`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        let other = try fixture.another()
        try await other.start()
        #expect(await other.state == .awaitingProof)
        try await other.verify(code: " 100 001")
        #expect(await other.state == .signedIn)
        // The first one reads the store again, and has the same session.
        try await fixture.controller.start()
        let token = await other.token()
        #expect(await fixture.controller.token()?.session == token?.session)
        #expect(fixture.server.openSessions.count == 1)
    }

    @Test func `a link that comes back through a browser needs its state and the verifier`() async throws {
        let fixture = try SessionFixture()
        let redirect = try SignInRedirect.application()
        try await fixture.controller.requestLink(to: fixture.email, returningTo: redirect)
        let code = try #require(fixture.server.followLink(of: fixture.email))
        let server = try #require(base)
        for forged in ["parley://signed-in?code=\(code)", "parley://signed-in?code=\(code)&state=other"] {
            let link = try SignInLink(forged, server: server)
            #expect(await failure { try await fixture.controller.verify(link) }?.code == .invalidLink)
        }
        let link = try SignInLink("\(redirect.url.absoluteString)&code=\(code)", server: server)
        try await fixture.controller.verify(link)
        #expect(await fixture.controller.state == .signedIn)
        #expect(try await fixture.records.pending() == nil)
    }

    @Test func `a mail's link can be pasted`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        let token = try #require(fixture.server.mail(of: fixture.email)).token
        let link = try SignInLink(
            "https://project.example/auth/v1/verify?token=\(token)&type=magiclink&redirect_to=https%3A%2F%2Fa.example",
            server: try #require(base))
        try await fixture.controller.verify(link)
        #expect(await fixture.controller.state == .signedIn)
        let again = await failure { try await fixture.controller.verify(link) }
        #expect(again?.code == .alreadySignedIn)
    }

    @Test func `a code from a browser's page can be typed`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        let code = try #require(fixture.server.followLink(of: fixture.email))
        try await fixture.controller.verify(code: " \(code) ")
        #expect(await fixture.controller.state == .signedIn)
    }

    @Test func `another mail waits for the cool-down, across programs and a clock that was set back`() async throws {
        let fixture = try SessionFixture()
        let until = try await fixture.controller.requestLink(to: fixture.email)
        #expect(until == fixture.clock.date.addingTimeInterval(60))
        let other = try fixture.another()
        fixture.clock.advance(by: .seconds(20))
        let error = await failure { try await other.requestLink(to: fixture.email) }
        #expect(error?.code == .tooManyMails && error?.retryAfter == .seconds(40))
        #expect(error?.until == until && fixture.server.requests.count == 1)
        fixture.clock.setCalendar(by: -86_400)
        #expect(await failure { try await other.requestLink(to: fixture.email) }?.retryAfter == .seconds(60))
        fixture.clock.setCalendar(by: 86_400)
        fixture.clock.advance(by: .seconds(41))
        try await other.requestLink(to: fixture.email)
        #expect(fixture.server.requests.count == 2)
    }

    @Test func `a mail that the server refuses leaves the one before good, and its wait is kept`() async throws {
        let fixture = try SessionFixture()
        let quick = try SessionController(
            client: try GoTrueClient(
                baseURL: try #require(base), transport: fixture.server, clock: fixture.clock.client),
            store: fixture.store, lock: fixture.lock, resendCooldown: .seconds(1), clock: fixture.clock.client)
        try await quick.requestLink(to: fixture.email)
        let pending = try #require(try await fixture.records.pending())
        fixture.clock.advance(by: .seconds(10))
        #expect(await failure { try await quick.requestLink(to: fixture.email) }?.retryAfter == .seconds(50))
        #expect(try await fixture.records.pending()?.verifier == pending.verifier)
        #expect(try await quick.resendTime == fixture.clock.date.addingTimeInterval(50))
        try await quick.verify(code: try #require(fixture.server.mail(of: fixture.email)).code)
    }

    @Test(arguments: [NetworkError.Code.connectionLost, .firstByteTimeout, .timeout, .connect, .resolve])
    func `a mail whose answer was lost can be used, and asked for again at once`(_ code: NetworkError.Code) async throws
    {
        struct LosingTransport: HTTPTransport {
            let next: any HTTPTransport
            let code: NetworkError.Code

            func send(_ request: HTTPRequest) async throws -> HTTPResponse {
                _ = try await next.send(request)
                throw NetworkError(code: code, message: "m")
            }
        }
        let fixture = try SessionFixture()
        let client = try GoTrueClient(
            baseURL: try #require(base), transport: LosingTransport(next: fixture.server, code: code),
            clock: fixture.clock.client)
        let unlucky = try SessionController(
            client: client, store: fixture.store, lock: fixture.lock, clock: fixture.clock.client)
        #expect(await failure { try await unlucky.requestLink(to: fixture.email) }?.code == .noNetwork)
        #expect(await failure { try await unlucky.requestLink(to: fixture.email) }?.code == .noNetwork)
        let mail = try #require(fixture.server.mail(of: fixture.email))
        guard code != .connect, code != .resolve else {
            // The request never left.
            #expect(await failure { try await fixture.controller.verify(code: mail.code) }?.code == .noPendingSignIn)
            return
        }
        try await fixture.controller.verify(code: mail.code)
    }

    @Test func `a code that is none costs no try`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        for code in ["", "12345", "12345a", "１２３４５６", "123456\n", "12345678901"] {
            #expect(await failure { try await fixture.controller.verify(code: code) }?.code == .wrongCode)
        }
        #expect(fixture.server.requests.count == 1)
        #expect(await failure { try await fixture.controller.verify(code: "999999") }?.code == .wrongCode)
        #expect(await fixture.controller.state == .awaitingProof)
    }

    @Test func `only the server's word signs out`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        fixture.server.afterRotation { _ in throw NetworkError(code: .connect, message: "m") }
        await #expect(throws: NetworkError.self) { try await fixture.controller.refresh(token) }
        #expect(await fixture.controller.state == .signedIn)
        fixture.clock.advance(by: .seconds(3_600), wakes: false)
        #expect(await fixture.controller.state == .expired)
        #expect(await fixture.controller.token()?.session == token.session)
        #expect(try await fixture.records.session() != nil)
        fixture.server.afterRotation(nil)
        fixture.server.endAllSessions()
        fixture.clock.advance(by: .seconds(2), wakes: false)
        #expect(await fixture.controller.token() == nil)
        #expect(await fixture.controller.state == .signedOut)
        #expect(try await fixture.records.session() == nil)
    }

    @Test func `the provider's refusal is unauthorized, and offline is not`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        fixture.server.afterRotation { _ in throw NetworkError(code: .connect, message: "m") }
        await #expect { try await fixture.controller.refresh(token) } throws: {
            ($0 as? NetworkError)?.code == .connect
        }
        // Too soon for another one: the same cause, and no request.
        let count = fixture.server.refreshCount
        await #expect { try await fixture.controller.refresh(token) } throws: {
            ($0 as? NetworkError)?.code == .connect
        }
        #expect(fixture.server.refreshCount == count)
        fixture.server.afterRotation(nil)
        fixture.server.endAllSessions()
        fixture.clock.advance(by: .seconds(2), wakes: false)
        await #expect { try await fixture.controller.refresh(token) } throws: {
            ($0 as? NetworkError)?.code == .unauthorized
        }
    }

    @Test func `one refresh serves all who wait`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { _ in await gate.pass() }
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.controller.refresh(token).value } }
            await until { gate.waiterCount == 1 }
            #expect(await fixture.controller.state == .refreshing)
            gate.open()
            let values = try await group.reduce(into: Set<String>()) { $0.insert($1) }
            #expect(values.count == 1)
        }
        #expect(fixture.server.refreshCount == 1)
    }

    @Test func `what cannot be stored is held, and stored later`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        fixture.store.failures.withLock { $0 = 3 }
        let second = try await fixture.controller.refresh(token)
        #expect(try await fixture.records.session()?.refreshToken.hasSuffix(".0") == true)
        let third = try await fixture.controller.refresh(second)
        #expect(third.value != second.value)
        #expect(try await fixture.records.session()?.refreshToken.hasSuffix(".2") == true)
        #expect(fixture.server.openSessions.count == 1)
    }

    @Test func `a session that cannot be stored is ended at the server`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        fixture.store.failures.withLock { $0 = 1 }
        let error = await failure { try await fixture.controller.verify(code: "100001") }
        #expect(error?.code == .storage && fixture.server.openSessions.isEmpty)
        #expect(await fixture.controller.state != .signedIn)
    }

    @Test func `signing out everywhere tells the server first`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(7_200), wakes: false)
        fixture.server.afterRotation { _ in throw NetworkError(code: .connect, message: "m") }
        #expect(await failure { try await fixture.controller.signOut(.global) }?.code == .noNetwork)
        #expect(await fixture.controller.state == .expired)
        #expect(try await fixture.records.session() != nil)
        fixture.server.afterRotation(nil)
        fixture.clock.advance(by: .seconds(2), wakes: false)
        try await fixture.controller.signOut(.global)
        #expect(fixture.server.openSessions.isEmpty)
        #expect(try await fixture.records.session() == nil)
    }

    @Test func `signing out with an old access token ends the session at the server, too`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(7_200), wakes: false)
        try await fixture.controller.signOut()
        #expect(fixture.server.openSessions.isEmpty)
    }

    @Test func `signing out without a network signs out here`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(7_200), wakes: false)
        fixture.server.afterRotation { _ in throw NetworkError(code: .connect, message: "m") }
        #expect(await failure { try await fixture.controller.signOut() }?.code == .noNetwork)
        #expect(await fixture.controller.state == .signedOut)
        #expect(try await fixture.records.session() == nil)
    }

    @Test func `GoTrue lists no sessions, and says so`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        #expect(await failure { try await fixture.controller.sessions() }?.code == .unsupported)
        #expect(await failure { try await fixture.controller.revoke(session: "x") }?.code == .unsupported)
    }

    @Test func `a slow listener loses the oldest events and holds nothing up`() async throws {
        let fixture = try SessionFixture()
        let events = await fixture.controller.events()
        for _ in 0..<70 { _ = await failure { try await fixture.controller.verify(code: "x") } }
        try await fixture.signIn()
        await fixture.controller.close()
        let seen = await events.reduce(into: []) { $0.append($1) }
        #expect(seen.count == 64 && seen.suffix(2) == [.linkRequested, .signInSucceeded])
        var later = await fixture.controller.events().makeAsyncIterator()
        #expect(await later.next() == nil)
    }
}
