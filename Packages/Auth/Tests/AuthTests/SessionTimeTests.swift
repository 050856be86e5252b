// SPDX-License-Identifier: MIT

import AuthTestSupport
import Diagnostics
import FoundationEssentials
import Networking
import Security
import Testing

@testable import Auth

/// What time, loss and other programs do to a session.
@Suite struct SessionTimeTests {
    @Test func `refresh finishing after sign-out`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let events = await fixture.controller.events()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { _ in await gate.pass() }
        async let refreshed = failureOfNetwork { try await fixture.controller.refresh(token) }
        await until { gate.waiterCount == 1 }
        async let signedOut: Void = fixture.controller.signOut()
        await until { await fixture.controller.state == .signedOut }
        gate.open()
        #expect(await refreshed?.code == .unauthorized)
        try await signedOut
        #expect(await fixture.controller.state == .signedOut)
        #expect(await fixture.controller.token() == nil)
        #expect(try await fixture.records.session() == nil)
        #expect(fixture.server.openSessions.isEmpty)
        await fixture.controller.close()
        let seen = await events.reduce(into: []) { $0.append($1) }
        #expect(seen == [.signedOut(.requested)])
    }

    @Test func `sign-out does not wait for ever, and what comes later is not stored`() async throws {
        let fixture = try SessionFixture(patience: .zero)
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { count in if count == 1 { await gate.pass() } }
        async let refreshed = failureOfNetwork { try await fixture.controller.refresh(token) }
        await until { gate.waiterCount == 1 }
        try await fixture.controller.signOut()
        #expect(try await fixture.records.session() == nil)
        gate.open()
        #expect(await refreshed?.code == .unauthorized)
        #expect(try await fixture.records.session() == nil)
    }

    @Test func `a refresh that sign-out cancels is no fault of the client's`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { _ in
            await gate.pass()
            try Task.checkCancellation()
        }
        async let refreshed = failureOfNetwork { try await fixture.controller.refresh(token) }
        await until { gate.waiterCount == 1 }
        async let signedOut: Void = fixture.controller.signOut()
        await until { await fixture.controller.state == .signedOut }
        gate.open()
        #expect(await refreshed?.code == .unauthorized)
        try await signedOut
    }

    @Test func `starting with a store that was read before somebody signed in`() async throws {
        let fixture = try SessionFixture()
        let gate = Gate()
        fixture.store.afterReading.withLock { $0 = { await gate.pass() } }
        async let started: Void = fixture.controller.start()
        await until { gate.waiterCount == 1 }
        try await fixture.controller.requestLink(to: fixture.email)
        try await fixture.controller.verify(code: "100001")
        gate.open()
        try await started
        #expect(await fixture.controller.state == .signedIn)
        #expect(fixture.server.refreshCount == 0)
    }

    @Test func `starting while a sign-in is being stored loses no token`() async throws {
        let fixture = try SessionFixture()
        try await fixture.controller.requestLink(to: fixture.email)
        let (deleting, refreshing) = (Gate(), Gate())
        fixture.store.beforeDeleting.withLock { $0 = { await deleting.pass() } }
        fixture.server.afterRotation { count in if count == 1 { await refreshing.pass() } }
        async let signedIn: Void = fixture.controller.verify(code: "100001")
        await until { deleting.waiterCount == 1 }
        try await fixture.controller.start()
        await until { refreshing.waiterCount == 1 }
        deleting.open()
        try await signedIn
        refreshing.open()
        try await until { try await fixture.records.session()?.refreshToken.hasSuffix(".1") == true }
        fixture.clock.advance(by: .seconds(60), wakes: false)
        let token = try #require(await fixture.controller.token())
        _ = try await fixture.controller.refresh(token)
        #expect(await fixture.controller.state == .signedIn)
        #expect(fixture.server.openSessions.count == 1)
    }

    @Test func `a late answer for another session is dropped`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let old = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { count in if count == 1 { await gate.pass() } }
        async let refreshed = failureOfNetwork { try await fixture.controller.refresh(old) }
        await until { gate.waiterCount == 1 }
        async let signedOut: Void = fixture.controller.signOut()
        await until { await fixture.controller.state == .signedOut }
        fixture.clock.advance(by: .seconds(61), wakes: false)
        try await fixture.controller.requestLink(to: "eve@example.org")
        async let signedIn: Void = fixture.controller.verify(
            code: try #require(fixture.server.mail(of: "eve@example.org")).code)
        gate.open()
        _ = await refreshed
        try await signedOut
        try await signedIn
        let token = try #require(await fixture.controller.token())
        #expect(token.session != old.session)
        #expect(try await fixture.records.session()?.id == token.session)
        #expect(await fixture.controller.currentUser?.email == "eve@example.org")
    }

    @Test func `refresh answer lost after the server rotated`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        fixture.server.afterRotation { count in
            if count <= 2 { throw NetworkError(code: .connectionLost, message: "m") }
        }
        #expect(await failureOfNetwork { try await fixture.controller.refresh(token) }?.code == .connectionLost)
        // By itself: after one second, then after two more.
        await until { fixture.clock.remaining == [.seconds(1)] }
        fixture.clock.advance(by: .seconds(1))
        await until { fixture.server.refreshCount == 2 && fixture.clock.remaining == [.seconds(2)] }
        fixture.clock.advance(by: .seconds(2))
        await until { await fixture.controller.token()?.value != token.value }
        #expect(fixture.server.openSessions.count == 1)
        let newer = try #require(await fixture.controller.token())
        _ = try await fixture.controller.refresh(newer)
        #expect(fixture.server.openSessions.count == 1)
    }

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
        await until { fixture.clock.remaining == [.seconds(3_540)] }
        fixture.clock.advance(by: .seconds(3_540))
        await until { await fixture.controller.token()?.value != token.value }
        await until { fixture.clock.remaining == [.seconds(3_540)] }
        #expect(fixture.server.refreshCount == 1)
        await fixture.controller.close()
        await until { fixture.clock.remaining.isEmpty }
    }

    @Test func `within the margin the old token is used while a new one is fetched`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { _ in await gate.pass() }
        fixture.clock.advance(by: .seconds(3_590), wakes: false)
        #expect(await fixture.controller.token() == token)
        await until { gate.waiterCount == 1 }
        #expect(await fixture.controller.token() == token)
        gate.open()
        await until { await fixture.controller.token()?.value != token.value }
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

    private func failureOfNetwork(_ operation: @Sendable () async throws -> some Sendable) async -> NetworkError? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return error as? NetworkError
        }
    }
}
