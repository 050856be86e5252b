// SPDX-License-Identifier: MIT

import Concurrency
import Security

/// The keys of a page: tokens that open it once, and the sessions that they are exchanged for.
///
/// A token goes through the address that a browser is opened with, which other programs may see for a moment: so it is valid once and
/// for a short time. A session goes only through the page's own requests.
public final class PageKeys: Sendable {
    private struct State {
        var tokens: [(token: [UInt8], end: ContinuousClock.Instant)] = []
        var sessions: [[UInt8]] = []
    }

    /// The most sessions; the oldest one ends when there is one more. Each tab that was opened by a token has one.
    public static let sessionLimit = 64
    private static let tokenLimit = 64

    private let state = Guarded(State())
    private let lifetime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Keys of which none is valid yet.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a token is valid.
    ///   - now: The monotonic time.
    public init(
        lifetime: Duration = .seconds(60), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.lifetime, self.now) = (lifetime, now)
    }

    /// A new token, in letters that an address can have: 256 random bits.
    ///
    /// - Throws: `SecurityError` if the system gives no random bytes.
    public func makeToken() throws -> String {
        let token = try SecureRandom.token()
        state.withLock { state in
            state.tokens.removeAll { $0.end <= now() }
            if state.tokens.count == Self.tokenLimit { state.tokens.removeFirst() }
            state.tokens.append((Array(token.utf8), now() + lifetime))
        }
        return token
    }

    /// Exchanges a token for a session; nil if it is not valid, or any more.
    ///
    /// - Throws: `SecurityError` if the system gives no random bytes.
    public func session(for token: String) throws -> String? {
        let isValid = state.withLock { state in
            state.tokens.removeAll { $0.end <= now() }
            let given = Array(token.utf8)
            guard let place = state.tokens.firstIndex(where: { ConstantTime.areEqual($0.token, given) }) else {
                return false
            }
            state.tokens.remove(at: place)
            return true
        }
        guard isValid else { return nil }
        let session = try SecureRandom.token()
        state.withLock { state in
            if state.sessions.count == Self.sessionLimit { state.sessions.removeFirst() }
            state.sessions.append(Array(session.utf8))
        }
        return session
    }

    /// True for a session that was given out.
    public func isValid(session: String) -> Bool {
        let given = Array(session.utf8)
        return state.withLock { state in state.sessions.contains { ConstantTime.areEqual($0, given) } }
    }
}
