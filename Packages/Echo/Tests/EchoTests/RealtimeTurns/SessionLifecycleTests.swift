// SPDX-License-Identifier: MIT

import Networking
import Testing

@testable import Echo

@Suite("Sessions that follow each other")
struct SessionLifecycleTests {
    private func connected() -> SessionLifecycle {
        var lifecycle = SessionLifecycle(seed: 1)
        _ = lifecycle.handle(.start, at: .zero)
        _ = lifecycle.handle(.opened(1), at: .zero)
        return lifecycle
    }

    @Test("A session is opened, used, and closed at the end")
    func simple() {
        var lifecycle = SessionLifecycle(seed: 1)
        #expect(lifecycle.handle(.start, at: .zero) == [.status(.connecting), .connect(1)])
        #expect(lifecycle.handle(.opened(1), at: .seconds(1)) == [.started, .use(1), .status(.connected)])
        #expect(lifecycle.deadline == .seconds(55 * 60 + 1))
        #expect(lifecycle.handle(.stop, at: .seconds(2)) == [.close(1), .status(.disconnected)])
        #expect(lifecycle.deadline == nil)
        #expect(lifecycle.handle(.failed(1, .broken(retryAfter: nil)), at: .seconds(3)) == [])
    }

    @Test("Before the hour is over the next is opened, and takes its place between turns")
    func rollover() {
        var lifecycle = connected()
        _ = lifecycle.handle(.turnBegan, at: .seconds(3_200))
        #expect(lifecycle.advance(to: .seconds(3_299)) == [])
        #expect(lifecycle.advance(to: .seconds(3_300)) == [.connect(2)])
        #expect(lifecycle.handle(.opened(2), at: .seconds(3_301)) == [])
        #expect(lifecycle.handle(.turnEnded, at: .seconds(3_310)) == [.use(2), .close(1)])
        #expect(lifecycle.deadline == .seconds(3_310 + 3_300))
    }

    @Test("A turn that does not end is taken over at the last moment")
    func lastMoment() {
        var lifecycle = connected()
        _ = lifecycle.handle(.turnBegan, at: .seconds(3_200))
        _ = lifecycle.advance(to: .seconds(3_300))
        _ = lifecycle.handle(.opened(2), at: .seconds(3_301))
        #expect(lifecycle.deadline == .seconds(3_540))
        #expect(lifecycle.advance(to: .seconds(3_540)) == [.use(2), .close(1)])
    }

    @Test("A rollover that fails is tried again while the old session goes on")
    func rolloverFails() {
        var lifecycle = connected()
        _ = lifecycle.advance(to: .seconds(3_300))
        #expect(lifecycle.handle(.failed(2, .broken(retryAfter: .seconds(5))), at: .seconds(3_301)) == [])
        #expect(lifecycle.deadline == .seconds(3_306))
        #expect(lifecycle.advance(to: .seconds(3_306)) == [.connect(3)])
        #expect(lifecycle.handle(.failed(3, .refused("No.")), at: .seconds(3_307)) == [])
        #expect(lifecycle.deadline == nil)
        #expect(lifecycle.session == 1)
    }

    @Test("A connection that breaks is replaced at once, then after pauses that grow, and not for ever")
    func broken() {
        var lifecycle = connected()
        #expect(
            lifecycle.handle(.failed(1, .broken(retryAfter: nil)), at: .seconds(100))
                == [.status(.reconnecting), .connect(2)])
        var now = Duration.seconds(100)
        var pauses: [Duration] = []
        var actions: [SessionLifecycle.Action] = []
        for session in 2...20 where lifecycle.session == nil && !actions.contains(.status(.disconnected)) {
            actions = lifecycle.handle(.failed(session, .broken(retryAfter: nil)), at: now)
            guard let deadline = lifecycle.deadline else { break }
            pauses.append(deadline - now)
            now = deadline
            #expect(lifecycle.advance(to: now) == [.connect(session + 1)])
        }
        #expect(actions == [.status(.disconnected), .giveUp(.broken(retryAfter: nil))])
        #expect(pauses.count == 7)
        #expect(pauses.allSatisfy { $0 >= .milliseconds(250) && $0 <= .seconds(8) })
        #expect(pauses.last ?? .zero >= .seconds(4))
    }

    @Test func `before the first session fewer attempts are made`() {
        var lifecycle = SessionLifecycle(startAttempts: 3, seed: 1)
        _ = lifecycle.handle(.start, at: .zero)
        var now = Duration.zero
        for session in 1...2 {
            #expect(lifecycle.handle(.failed(session, .broken(retryAfter: nil)), at: now) == [])
            now = lifecycle.deadline ?? .zero
            #expect(lifecycle.advance(to: now) == [.connect(session + 1)])
        }
        #expect(
            lifecycle.handle(.failed(3, .broken(retryAfter: nil)), at: now)
                == [.status(.disconnected), .giveUp(.broken(retryAfter: nil))])
        #expect(!lifecycle.hasConnected)
    }

    @Test func `a refusal of the first session is final`() {
        var lifecycle = SessionLifecycle(seed: 1)
        _ = lifecycle.handle(.start, at: .zero)
        #expect(
            lifecycle.handle(.failed(1, .refused("No key.")), at: .zero)
                == [.status(.disconnected), .giveUp(.refused("No key."))])
    }

    @Test("An attempt that hangs is given up, and what comes of it later is closed")
    func hangs() {
        var lifecycle = SessionLifecycle(seed: 2)
        _ = lifecycle.handle(.start, at: .zero)
        #expect(lifecycle.advance(to: .seconds(20)) == [.close(1)])
        #expect(lifecycle.handle(.opened(1), at: .seconds(20)) == [.close(1)])
    }

    @Test("A session that breaks as soon as it is there does not make a storm of attempts")
    func flapping() {
        var lifecycle = connected()
        var now = Duration.seconds(100)
        _ = lifecycle.handle(.failed(1, .broken(retryAfter: nil)), at: now)
        var session = 2
        var count = 0
        while count < 20 {
            count += 1
            _ = lifecycle.handle(.opened(session), at: now)
            let actions = lifecycle.handle(.failed(session, .broken(retryAfter: nil)), at: now + .milliseconds(1))
            if actions.contains(.status(.disconnected)) { break }
            #expect(!actions.contains(.connect(session + 1)))
            guard let deadline = lifecycle.deadline else { break }
            now = deadline
            _ = lifecycle.advance(to: now)
            session += 1
        }
        #expect(count == 8)
    }

    @Test("What codes, errors and statuses of HTTP mean")
    func failures() {
        typealias Failure = SessionLifecycle.Failure
        for code: UInt16 in [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015] {
            #expect(Failure(WebSocketCloseCode(rawValue: code)) == .broken(retryAfter: nil), "\(code)")
        }
        for code: UInt16 in [1002, 1003, 1007, 1008, 1009, 1010, 3000, 4000] {
            guard case .refused = Failure(WebSocketCloseCode(rawValue: code)) else {
                Issue.record("\(code)")
                continue
            }
        }
        #expect(Failure(status: nil, message: "") == .broken(retryAfter: nil))
        #expect(Failure(status: 429, message: "", retryAfter: .seconds(3)) == .broken(retryAfter: .seconds(3)))
        #expect(Failure(status: 503, message: "") == .broken(retryAfter: nil))
        #expect(Failure(status: 401, message: "No.") == .refused("No."))
        #expect(Failure(APIFailure(code: "session_expired", message: "")) == .broken(retryAfter: nil))
        #expect(Failure(APIFailure(code: "invalid_api_key", message: "Key.")) == .refused("Key."))
        #expect(Failure(APIFailure(code: "invalid_value", message: "")) == nil)
    }
}
