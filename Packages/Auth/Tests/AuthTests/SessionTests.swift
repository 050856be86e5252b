// SPDX-License-Identifier: MIT

import AuthTestSupport
import Diagnostics
import FoundationEssentials
import Networking
import Security
import Testing

@testable import Auth

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
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
        try await fixture.controller.requestCode(to: fixture.email)
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

    @Test func `another mail waits for the cool-down, across programs`() async throws {
        let fixture = try SessionFixture()
        let until = try await fixture.controller.requestLink(to: fixture.email)
        #expect(until == fixture.clock.date.addingTimeInterval(60))
        let other = try fixture.another()
        fixture.clock.advance(by: .seconds(20))
        let error = await failure { try await other.requestLink(to: fixture.email) }
        #expect(error?.code == .tooManyMails && error?.retryAfter == .seconds(40))
        #expect(error?.until == until && fixture.server.requests.count == 1)
        fixture.clock.advance(by: .seconds(41))
        try await other.requestLink(to: fixture.email)
        #expect(fixture.server.requests.count == 2)
    }

    @Test func `another mail does not wait for a clock that was set back`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        fixture.clock.setCalendar(by: -86_400)
        #expect(try await fixture.controller.resendTime == fixture.clock.date)
        let until = try await fixture.controller.requestLink(to: fixture.email)
        #expect(until == fixture.clock.date.addingTimeInterval(60))
        #expect(await failure { try await fixture.controller.requestLink(to: fixture.email) }?.code == .tooManyMails)
        fixture.clock.advance(by: .seconds(61))
        try await fixture.controller.requestLink(to: fixture.email)
        #expect(fixture.server.requests.count == 3)
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

    @Test func `a wait that ends before its mail by a clock that was set back is none`() async throws {
        let fixture = try SessionFixture()
        fixture.clock.setCalendar(by: -86_400)
        try await fixture.controller.requestLink(to: "b@example.org")
        fixture.clock.setCalendar(by: 86_400)
        try await fixture.controller.requestLink(to: fixture.email)
        fixture.clock.setCalendar(by: -86_400)
        for _ in 0..<2 {
            let error = await failure { try await fixture.controller.requestLink(to: "b@example.org") }
            #expect(error?.code == .tooManyMails)
            #expect(try await fixture.controller.resendTime == fixture.clock.date)
        }
    }
}
