// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

/// A provider whose refreshes wait until a test lets them go on.
private actor GatedSession: AccessTokenProvider {
    private(set) var current: AccessToken?
    private(set) var refreshes: [AccessToken] = []
    private var gates: [AccessToken: Promise<String>] = [:]
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ token: AccessToken) { current = token }

    func token() -> AccessToken? { current }
    func set(_ token: AccessToken?) { current = token }

    func refresh(_ expired: AccessToken) async throws -> AccessToken {
        refreshes.append(expired)
        let gate = Promise<String>()
        gates[expired] = gate
        for watcher in watchers where watcher.count <= refreshes.count { watcher.continuation.resume() }
        watchers.removeAll { $0.count <= refreshes.count }
        return AccessToken(value: try await gate.value(), session: expired.session)
    }

    func replace(_ expired: AccessToken, with fresh: AccessToken) -> Bool {
        guard current?.session == expired.session else { return false }
        current = fresh
        return true
    }

    func waitForRefreshes(_ count: Int) async {
        guard refreshes.count < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }

    func end(_ token: AccessToken, _ result: Result<String, any Error>) {
        gates[token]?.resolve(result)
    }
}

@Suite(.timeLimit(.minutes(5))) struct TokenSessionTests {
    private let old = AccessToken(value: "old", session: "one")
    private let other = AccessToken(value: "old", session: "two")

    /// Takes tokens that begin with `new`.
    private let server = ScriptedTransport { request in
        let isValid = request.headers["Authorization"]?.hasPrefix("Bearer new") == true
        return HTTPResponse(status: isValid ? 200 : 401, url: request.url)
    }

    private func send(_ stage: TokenTransport) -> Task<Int, any Error> {
        Task { try await stage.send(HTTPRequest(.get, testURL)).status }
    }

    /// ScriptedClock until so many requests wait for the refresh.
    private func wait(for count: Int, at stage: TokenTransport) async throws {
        try await eventually { stage.waiterCount >= count }
    }

    @Test func everyWaiterLearnsThatTheSessionEnded() async throws {
        let session = GatedSession(old)
        let stage = TokenTransport(next: server, provider: session)
        let tasks = (0..<10).map { _ in send(stage) }
        await session.waitForRefreshes(1)
        try await wait(for: 10, at: stage)
        await session.set(nil)
        await session.end(old, .success("new"))
        for task in tasks { await expectError(.unauthorized) { _ = try await task.value } }
        #expect(await session.current == nil)
        #expect(server.requests.count == 10)
    }

    @Test func aNewSessionsRefreshDoesNotForgetTheOldOnesWaiters() async throws {
        let session = GatedSession(old)
        let stage = TokenTransport(next: server, provider: session)
        let first = send(stage)
        await session.waitForRefreshes(1)
        await session.set(other)
        let second = send(stage)
        await session.waitForRefreshes(2)
        #expect(await session.refreshes == [old, other])
        await session.end(other, .success("new2"))
        #expect(try await second.value == 200)
        await session.end(old, .success("new1"))
        await expectError(.unauthorized) { _ = try await first.value }
        #expect(await session.current == AccessToken(value: "new2", session: "two"))
    }

    @Test func aRefusalThatComesAfterAnotherSignInIsNotReplayed() async throws {
        let session = GatedSession(old)
        let other = other
        let server = ScriptedTransport { request in
            await session.set(other)
            return HTTPResponse(status: 401, url: request.url)
        }
        let stage = TokenTransport(next: server, provider: session)
        await expectError(.unauthorized) { _ = try await stage.send(HTTPRequest(.get, testURL)) }
        #expect(server.requests.count == 1)
        #expect(await session.refreshes.isEmpty)
    }

    @Test func offlineFailsEveryWaiterAndTheNextRequestTriesAnew() async throws {
        let session = GatedSession(old)
        let stage = TokenTransport(next: server, provider: session)
        let tasks = (0..<5).map { _ in send(stage) }
        await session.waitForRefreshes(1)
        try await wait(for: 5, at: stage)
        await session.end(old, .failure(NetworkError(code: .connect, message: "offline")))
        for task in tasks { await expectError(.connect) { _ = try await task.value } }
        #expect(await session.current == old)
        let again = send(stage)
        await session.waitForRefreshes(2)
        await session.end(old, .success("new"))
        #expect(try await again.value == 200)
    }

    @Test func cancellingTheRequestThatStartedItLeavesTheRefreshToTheOthers() async throws {
        let session = GatedSession(old)
        let stage = TokenTransport(next: server, provider: session)
        let first = send(stage)
        await session.waitForRefreshes(1)
        let second = send(stage)
        try await wait(for: 2, at: stage)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        await session.end(old, .success("new"))
        #expect(try await second.value == 200)
        #expect(await session.refreshes.count == 1)
    }

    @Test func closingEndsTheRefresh() async throws {
        let session = GatedSession(old)
        var configuration = HTTPClient.Configuration()
        configuration.tokens = session
        let client = HTTPClient(transport: server, configuration: configuration)
        let task = Task { try await client.send(HTTPRequest(.get, testURL)).status }
        await session.waitForRefreshes(1)
        await client.close()
        await expectError(.closed) { _ = try await task.value }
        await expectError(.closed) { _ = try await client.send(HTTPRequest(.get, testURL)) }
        #expect(await session.refreshes.count == 1)
        #expect(await session.current == old)
    }

    @Test func whatCannotBeSentTwiceIsRefusedAsItIs() async throws {
        let session = GatedSession(old)
        let stage = TokenTransport(next: server, provider: session)
        let stream = HTTPBody.stream(HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() }))
        #expect(try await stage.send(HTTPRequest(.post, testURL, body: stream)).status == 401)
        var request = HTTPRequest(.get, testURL)
        request.options.isAuthorized = false
        #expect(try await stage.send(request).status == 401)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", nil])
        #expect(await session.refreshes.isEmpty)
    }

    // MARK: The machine

    private func isStart(_ action: TokenRefreshStateMachine<Int>.Action) -> Bool {
        if case .start = action { true } else { false }
    }

    @Test func fiveRefreshesInAnyThirtySeconds() {
        var machine = TokenRefreshStateMachine<Int>()
        func starts(at seconds: Double) -> Bool {
            let token = AccessToken(value: "\(seconds)", session: "one")
            let action = machine.refused(used: token, current: token, waiter: 0, now: .seconds(seconds))
            _ = machine.finished(token, fresh: nil)
            return isStart(action)
        }
        let moments = [0, 10, 20, 25, 29, 29.9, 30, 30.1, 39.9, 40]
        let expected = [true, true, true, true, true, false, true, false, false, true]
        #expect(moments.map { starts(at: $0) } == expected)
    }

    @Test func aRefusalThatLooksAtAnOldTokenGetsTheNewOneAndNoSecondRefresh() {
        var machine = TokenRefreshStateMachine<Int>()
        let fresh = AccessToken(value: "new", session: "one")
        _ = machine.refused(used: old, current: old, waiter: 1, now: .zero)
        let answered = machine.finished(old, fresh: fresh)
        #expect(answered == [1])
        // It asked for the current token just before the refresh ended.
        let action = machine.refused(used: old, current: old, waiter: 2, now: .zero)
        guard case .replay(let token) = action else { return #expect(Bool(false), "\(action)") }
        #expect(token == fresh)
    }
}
