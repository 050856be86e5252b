// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

/// A provider whose session a test can end or change in the middle of a refresh.
private actor Session: AccessTokenProvider {
    private(set) var current: AccessToken?
    private(set) var refreshes = 0
    private var duringRefresh: (@Sendable (isolated Session) throws -> Void)?

    init(_ value: String?) {
        current = value.map { AccessToken(value: $0, session: "one") }
    }

    func token() -> AccessToken? { current }
    func set(_ token: AccessToken?) { current = token }
    func duringRefresh(_ body: @escaping @Sendable (isolated Session) throws -> Void) { duringRefresh = body }

    func refresh(_ expired: AccessToken) async throws -> AccessToken {
        refreshes += 1
        await disturbOrder(20)
        try duringRefresh?(self)
        return AccessToken(value: "fresh\(refreshes)", session: expired.session)
    }

    func replace(_ expired: AccessToken, with fresh: AccessToken) -> Bool {
        guard current?.session == expired.session else { return false }
        current = fresh
        return true
    }
}

struct TokenTests {
    private func server(accepting isValid: @escaping @Sendable (String) -> Bool) -> ScriptedTransport {
        ScriptedTransport { request in
            let token = request.headers["Authorization"]?.dropFirst(7).description ?? "none"
            return HTTPResponse(status: isValid(token) ? 200 : 401, url: request.url)
        }
    }

    @Test func oneRefreshServesAllAndEachIsReplayedOnce() async throws {
        let session = Session("old")
        let server = server { $0 != "old" }
        let stage = TokenTransport(next: server, provider: session)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await stage.send(HTTPRequest(.get, testURL)).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
        #expect(await session.refreshes == 1)
        #expect(server.requests.count <= 100)
    }

    @Test func aSecond401IsDelivered() async throws {
        let server = server { _ in false }
        let response = try await TokenTransport(next: server, provider: Session("old")).send(HTTPRequest(.get, testURL))
        #expect(response.status == 401)
        #expect(server.requests.count == 2)
    }

    @Test func anAnswerForAnEndedSessionIsThrownAway() async throws {
        for replacement in [nil, AccessToken(value: "other", session: "two")] {
            let session = Session("old")
            await session.duringRefresh { session in session.set(replacement) }
            let stage = TokenTransport(next: server { $0 != "old" }, provider: session)
            await expectError(.unauthorized) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
            #expect(await session.current == replacement)
        }
    }

    @Test func offlineIsNotSignedOut() async throws {
        let session = Session("old")
        await session.duringRefresh { _ in throw NetworkError(code: .connect, message: "offline") }
        let stage = TokenTransport(next: server { _ in false }, provider: session)
        await expectError(.connect) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(await session.current?.value == "old")
    }

    @Test func atMostFiveRefreshesInThirtySeconds() async throws {
        let clock = ScriptedClock()
        let session = Session("old")
        let stage = TokenTransport(next: server { _ in false }, provider: session, clock: skippingClock(clock))
        for _ in 0..<5 { #expect(try await stage.send(HTTPRequest(.get, testURL)).status == 401) }
        await expectError(.refreshLimit) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        clock.advance(by: .seconds(31))
        #expect(try await stage.send(HTTPRequest(.get, testURL)).status == 401)
        #expect(await session.refreshes == 6)
    }

    @Test func withoutASessionOrWithOwnAuthorizationNothingIsAdded() async throws {
        let server = server { _ in false }
        _ = try await TokenTransport(next: server, provider: Session(nil)).send(HTTPRequest(.get, testURL))
        #expect(server.requests.last?.headers["Authorization"] == nil)
        _ = try await TokenTransport(next: server, provider: Session("old")).send(
            HTTPRequest(.get, testURL, headers: ["Authorization": "Basic x"]))
        #expect(server.requests.last?.headers["Authorization"] == "Basic x")
        #expect(server.requests.count == 2)
    }

    /// Random orders of refusals and ends: at most one refresh at a time, and every waiter is answered once.
    @Test(arguments: [3, 5, 8, 13] as [UInt64]) func randomOrdersAnswerEveryWaiterOnce(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = TokenRefreshStateMachine<Int>(maximumRefreshes: .max)
        var waiting: Set<Int> = []
        var running: AccessToken?
        var current = AccessToken(value: "0", session: "s")
        for step in 0..<5_000 {
            if let token = running, Int.random(in: 0..<4, using: &random) == 0 {
                let fresh = Bool.random(using: &random) ? AccessToken(value: "\(step)", session: "s") : nil
                let answered = machine.finished(token, fresh: fresh)
                #expect(Set(answered) == waiting && answered.count == waiting.count, "seed \(seed)")
                waiting = []
                running = nil
                current = fresh ?? current
                continue
            }
            let old = Bool.random(using: &random)
            let used = old ? AccessToken(value: "older", session: "s") : current
            switch machine.refused(used: used, current: current, waiter: step, now: .seconds(step)) {
            case .replay(let token): #expect(old && token == current, "seed \(seed)")
            case .start:
                #expect(running == nil, "seed \(seed)")
                running = used
                waiting.insert(step)
            case .join:
                #expect(running == used, "seed \(seed)")
                waiting.insert(step)
            case .fail(let error): Issue.record("\(error), seed \(seed)")
            }
        }
    }
}
