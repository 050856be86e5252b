// SPDX-License-Identifier: MIT

import Concurrency
import LocalPage
import Testing

@Suite("The keys of a page") struct PageKeysTests {
    @Test func `a token is valid for a minute, and once`() throws {
        let time = Guarded(ContinuousClock.Instant.now)
        let keys = PageKeys { time.withLock { $0 } }
        let (first, second) = (try keys.makeToken(), try keys.makeToken())
        #expect(first != second && first.utf8.count == 43)
        let session = try #require(try keys.session(for: first))
        #expect(keys.isValid(session: session))
        #expect(!keys.isValid(session: first))
        #expect(try keys.session(for: first) == nil)
        time.withLock { $0 += .seconds(60) }
        #expect(try keys.session(for: second) == nil)
        #expect(keys.isValid(session: session), "a session has no end")
    }

    @Test func `the oldest session ends when there are too many`() throws {
        let keys = PageKeys()
        let sessions = try (0...PageKeys.sessionLimit).map { _ in
            try #require(try keys.session(for: try keys.makeToken()))
        }
        #expect(!keys.isValid(session: sessions[0]))
        #expect(sessions.dropFirst().allSatisfy { keys.isValid(session: $0) })
    }

    @Test func `tokens that nobody uses do not pile up`() throws {
        let keys = PageKeys()
        let first = try keys.makeToken()
        for _ in 0..<100 { _ = try keys.makeToken() }
        #expect(try keys.session(for: first) == nil)
    }
}
