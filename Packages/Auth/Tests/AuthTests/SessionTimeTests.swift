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

/// What time, loss and other programs do to a session.
@Suite(.timeLimit(.minutes(5))) struct SessionTimeTests {
    @Test func `refresh finishing after sign-out`() async throws {
        let fixture = try SessionFixture()
        try await fixture.signIn()
        let events = await fixture.controller.events()
        let token = try #require(await fixture.controller.token())
        let gate = Gate()
        fixture.server.afterRotation { _ in await gate.pass() }
        async let refreshed = failureOfNetwork { try await fixture.controller.refresh(token) }
        try await eventually { gate.waiterCount == 1 }
        async let signedOut: Void = fixture.controller.signOut()
        try await eventually { await fixture.controller.state == .signedOut }
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
        try await eventually { gate.waiterCount == 1 }
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
        try await eventually { gate.waiterCount == 1 }
        async let signedOut: Void = fixture.controller.signOut()
        try await eventually { await fixture.controller.state == .signedOut }
        gate.open()
        #expect(await refreshed?.code == .unauthorized)
        try await signedOut
    }

    @Test func `starting with a store that was read before somebody signed in`() async throws {
        let fixture = try SessionFixture()
        let gate = Gate()
        fixture.store.afterReading.withLock { $0 = { await gate.pass() } }
        async let started: Void = fixture.controller.start()
        try await eventually { gate.waiterCount == 1 }
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
        try await eventually { deleting.waiterCount == 1 }
        try await fixture.controller.start()
        try await eventually { refreshing.waiterCount == 1 }
        deleting.open()
        try await signedIn
        refreshing.open()
        try await eventually { try await fixture.records.session()?.refreshToken.hasSuffix(".1") == true }
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
        try await eventually { gate.waiterCount == 1 }
        async let signedOut: Void = fixture.controller.signOut()
        try await eventually { await fixture.controller.state == .signedOut }
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
        try await eventually { fixture.clock.remaining == [.seconds(1)] }
        fixture.clock.advance(by: .seconds(1))
        try await eventually { fixture.server.refreshCount == 2 && fixture.clock.remaining == [.seconds(2)] }
        fixture.clock.advance(by: .seconds(2))
        try await eventually { await fixture.controller.token()?.value != token.value }
        #expect(fixture.server.openSessions.count == 1)
        let newer = try #require(await fixture.controller.token())
        _ = try await fixture.controller.refresh(newer)
        #expect(fixture.server.openSessions.count == 1)
    }
}
