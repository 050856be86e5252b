// SPDX-License-Identifier: MIT

import AuthTestSupport
import Diagnostics
import FoundationEssentials
import Networking
import Security
import TestKit
import Testing

@testable import Auth

/// Tokens that grow old, clocks that jump, and waits.
extension SessionTimeTests {
    @Test func `suspend over the expiry`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        // The machine sleeps; no timer runs, but the clock counts.
        fixture.clock.advance(by: .seconds(8 * 3_600), wakes: false)
        #expect(await fixture.controller.state == .expired)
        let newer = try #require(await fixture.controller.token())
        #expect(newer.session == token.session && newer.value != token.value && fixture.server.refreshCount == 1)
    }

    @Test(arguments: [-31_536_000.0, -3_600.0, 3_600.0, 31_536_000.0])
    func `clock set back`(_ seconds: TimeInterval) async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        fixture.clock.setCalendar(by: seconds)
        #expect(await fixture.controller.token() == token && fixture.server.refreshCount == 0)
        fixture.clock.advance(by: .seconds(3_600), wakes: false)
        #expect(await fixture.controller.state == .expired)
        #expect(await fixture.controller.token()?.value != token.value)
        #expect(fixture.server.refreshCount == 1)
    }

    @Test func `the token is refreshed before it expires, without being asked`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        try await eventually { fixture.clock.remaining == [.seconds(3_540)] }
        fixture.clock.advance(by: .seconds(3_540))
        try await eventually { await fixture.controller.token()?.value != token.value }
        try await eventually { fixture.clock.remaining == [.seconds(3_540)] }
        #expect(fixture.server.refreshCount == 1)
        await fixture.controller.close()
        try await eventually { fixture.clock.remaining.isEmpty }
    }

    @Test func `within the margin the old token is used while a new one is fetched`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { _ in await gate.pass() }
        fixture.clock.advance(by: .seconds(3_590), wakes: false)
        #expect(await fixture.controller.token() == token)
        try await eventually { gate.waiterCount == 1 }
        #expect(await fixture.controller.token() == token)
        gate.open()
        try await eventually { await fixture.controller.token()?.value != token.value }
    }

    @Test func `a program that starts refreshes silently`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        await fixture.controller.close()
        let next = try fixture.another()
        try await next.start()
        let token = await fixture.controller.token()
        #expect(await next.token()?.session == token?.session)
        #expect(fixture.server.refreshCount == 1)
        await next.close()
    }

    @Test func `two controllers on one store never burn a token`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let other = try fixture.another()
        try await other.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for controller in [fixture.controller, other] {
                group.addTask {
                    for _ in 0..<20 {
                        let token = try #require(await controller.token())
                        _ = try await controller.refresh(token)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(fixture.server.openSessions.count == 1)
        #expect(fixture.server.refreshCount == 41)
    }

    @Test func `signing out in one program signs out the other`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let other = try fixture.another()
        try await other.start()
        let token = try #require(await other.token())
        let events = await other.events()
        try await fixture.controller.signOut()
        #expect(await failureOfNetwork { try await other.refresh(token) }?.code == .unauthorized)
        #expect(await other.state == .signedOut)
        await other.close()
        #expect(await events.reduce(into: []) { $0.append($1) } == [.signedOut(.elsewhere)])
    }

    @Test func `who asks too soon hears the cause again, and the server's wait is kept`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(7_200), wakes: false)
        fixture.server.afterRotation { _ in throw NetworkError(code: .connect, message: "m") }
        #expect(await failure { try await fixture.controller.fetchUser() }?.code == .noNetwork)
        #expect(await failure { try await fixture.controller.fetchUser() }?.code == .noNetwork)
        #expect(fixture.server.refreshCount == 1)
    }

    @Test func `waits grow, and the server's wait is kept`() throws {
        var machine = SessionStateMachine()
        _ = machine.signedIn("s", token: "t", lifetime: .seconds(3_600), askedAt: .zero)
        var (now, waits) = (Duration.seconds(3_540), [Duration]())
        for _ in 0..<11 {
            let began = machine.refreshBegan()
            let attempt = try #require(began)
            _ = machine.refreshFailed(attempt, .noNetwork, retryAfter: nil, now: now)
            let next = try #require(machine.renewalTime)
            waits.append(next - now)
            now = next
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map { .seconds($0) })
        let began = machine.refreshBegan()
        let attempt = try #require(began)
        _ = machine.refreshFailed(attempt, .tooManyAttempts, retryAfter: .seconds(400), now: now)
        #expect(machine.renewalTime == now + .seconds(400))
        #expect(machine.tokenNeeded(now: now + .seconds(399)) == .wait)
        #expect(machine.tokenNeeded(now: now + .seconds(400)) == .refresh)
    }

    func failureOfNetwork(_ operation: @Sendable () async throws -> some Sendable) async -> NetworkError? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return error as? NetworkError
        }
    }
}
