// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import FoundationEssentials
public import Networking
import Security

/// A transport that answers as GoTrue does, in the shapes of its published description (openapi.yaml, error codes): its
/// rules for codes, links and rotation, in memory. Like GoTrue, it lists no sessions and counts no attempts.
public final class ScriptedGoTrue: HTTPTransport {
    struct Mail: Sendable {
        let email: String
        let code: String
        let token: String
        let challenge: String?
        let sentAt: Date
        var isUsed = false
    }

    struct Family: Sendable {
        let email: String
        var generation = 0
        var rotatedAt: Date
        var isOver = false
    }

    struct State: Sendable {
        var mails: [Mail] = []
        var families: [String: Family] = [:]
        var codes: [String: Mail] = [:]
        var sent: [HTTPRequest] = []
        var refreshes = 0
        var serial = 0
    }

    let state = Guarded(State())
    let now: @Sendable () -> Date
    private let hook = Guarded<(@Sendable (Int) async throws -> Void)?>(nil)
    /// The time in which the token before the newest gets the newest once more.
    let grace: TimeInterval
    /// The lifetime of access tokens, in seconds.
    let lifetime: Int

    /// A server without accounts.
    public init(
        grace: TimeInterval = 10, lifetime: Int = 3_600,
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_767_225_600) }
    ) {
        (self.grace, self.lifetime, self.now) = (grace, lifetime, now)
    }

    /// Answers a request.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        state.withLock { $0.sent.append(request) }
        let (status, body) = respond(to: request)
        if request.url.query()?.contains("refresh_token") == true {
            let count = state.withLock { state in
                state.refreshes += 1
                return state.refreshes
            }
            // The server has rotated the token; the answer is not sent yet.
            if let hook = hook.withLock({ $0 }) { try await hook(count) }
        }
        return HTTPResponse(
            status: status, headers: ["Content-Type": "application/json"], url: request.url,
            body: HTTPResponseBody(Array(body.utf8)))
    }

    /// Runs something after a refresh was done and before it is answered. It may throw a network's error.
    public func afterRotation(_ body: (@Sendable (Int) async throws -> Void)?) { hook.withLock { $0 = body } }

    /// Every request so far.
    public var requests: [HTTPRequest] { state.withLock(\.sent) }

    /// The number of refreshes.
    public var refreshCount: Int { state.withLock(\.refreshes) }

    /// The newest mail of an address: its code and its link's token.
    public func mail(of email: String) -> (code: String, token: String)? {
        state.withLock { state in state.mails.last { $0.email == email }.map { ($0.code, $0.token) } }
    }

    /// Uses the link of the newest mail in a browser, and returns the code.
    public func followLink(of email: String) -> String? {
        state.withLock { state in
            guard let index = state.mails.lastIndex(where: { $0.email == email && !$0.isUsed }) else { return nil }
            state.mails[index].isUsed = true
            state.serial += 1
            let code = "2b306a77-21dc-4110-ba71-\(String(100_000_000_000 + state.serial))"
            state.codes[code] = state.mails[index]
            return code
        }
    }

    /// Ends all sessions, as an administrator does.
    public func endAllSessions() {
        state.withLock { state in for id in state.families.keys { state.families[id]?.isOver = true } }
    }

    /// The sessions that are not over.
    public var openSessions: [String] { state.withLock { $0.families.filter { !$0.value.isOver }.map(\.key) } }
}
