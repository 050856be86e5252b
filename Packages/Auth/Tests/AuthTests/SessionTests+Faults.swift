// SPDX-License-Identifier: MIT

import AuthTestSupport
import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import Security
import TestKit
import Testing

@testable import Auth

/// What goes wrong, and what it does to the session.
extension SessionTests {
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
            try await eventually { gate.waiterCount == 1 }
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
