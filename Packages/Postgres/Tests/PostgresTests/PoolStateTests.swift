// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@testable import Postgres

@Suite struct PoolStateTests {
    private final class Member: Sendable {}
    private typealias State = PoolState<Member>

    private static let start = MonotonicTime(nanoseconds: 1_000)

    private func time(_ seconds: Int) -> MonotonicTime { Self.start.advanced(by: .seconds(seconds)) }

    private func pool(limit: Int) -> State {
        State(
            limit: limit, maximumAge: .seconds(100),
            backoff: Backoff(first: .seconds(2), longest: .seconds(8), jitter: .none))
    }

    private func names(_ actions: [State.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .serve(let id, _): "serve \(id)"
            case .refuse(let id, let error): "refuse \(id) \(error.code)"
            case .open: "open"
            case .close: "close"
            }
        }
    }

    @Test func `waiters are served in their order`() {
        var pool = pool(limit: 1)
        let member = Member()
        #expect(names(pool.wait(1, deadline: time(10), at: time(0))) == ["open"])
        #expect(names(pool.wait(2, deadline: time(10), at: time(0))) == [])
        #expect(names(pool.wait(3, deadline: time(10), at: time(0))) == [])
        #expect(names(pool.opened(member, at: time(0))) == ["serve 1"])
        #expect(names(pool.put(member, isUsable: true, at: time(1))) == ["serve 2"])
        #expect(pool.takeIdle(at: time(1)).member == nil)
        #expect(names(pool.put(member, isUsable: true, at: time(1))) == ["serve 3"])
        #expect(names(pool.put(member, isUsable: true, at: time(1))) == [])
        #expect(pool.takeIdle(at: time(1)).member === member)
    }

    @Test func `a waiter is refused at its deadline`() {
        var pool = pool(limit: 1)
        _ = pool.wait(1, deadline: time(10), at: time(0))
        _ = pool.opened(Member(), at: time(0))
        _ = pool.wait(2, deadline: time(5), at: time(0))
        _ = pool.wait(3, deadline: time(9), at: time(0))
        #expect(pool.nextDeadline == time(5))
        #expect(names(pool.expire(at: time(4))) == [])
        #expect(names(pool.expire(at: time(5))) == ["refuse 2 busy"])
        #expect(pool.nextDeadline == time(9))
    }

    @Test func `a cancelled waiter is passed over`() {
        var pool = pool(limit: 1)
        let member = Member()
        _ = pool.wait(1, deadline: time(10), at: time(0))
        _ = pool.opened(member, at: time(0))
        _ = pool.wait(2, deadline: time(10), at: time(0))
        _ = pool.wait(3, deadline: time(10), at: time(0))
        #expect(pool.cancel(2) && !pool.cancel(2) && !pool.cancel(1))
        #expect(names(pool.put(member, isUsable: true, at: time(0))) == ["serve 3"])
    }

    @Test func `old and broken connections are replaced`() {
        var pool = pool(limit: 1)
        let member = Member()
        _ = pool.wait(1, deadline: time(10), at: time(0))
        _ = pool.opened(member, at: time(0))
        _ = pool.wait(2, deadline: time(10), at: time(0))
        #expect(names(pool.put(member, isUsable: false, at: time(1))) == ["close", "open"])
        let second = Member()
        #expect(names(pool.opened(second, at: time(1))) == ["serve 2"])
        #expect(names(pool.put(second, isUsable: true, at: time(101))) == ["close"])
        #expect(pool.count == 0)
        _ = pool.wait(3, deadline: time(200), at: time(101))
        _ = pool.opened(member, at: time(101))
        _ = pool.put(member, isUsable: true, at: time(102))
        let (taken, actions) = pool.takeIdle(at: time(201))
        #expect(taken == nil && names(actions) == ["close"])
    }

    @Test func `a lost idle connection is forgotten`() {
        var pool = pool(limit: 1)
        let member = Member()
        _ = pool.wait(1, deadline: time(10), at: time(0))
        _ = pool.opened(member, at: time(0))
        _ = pool.put(member, isUsable: true, at: time(0))
        #expect(names(pool.lost(member, at: time(1))) == [])
        #expect(pool.count == 0 && pool.takeIdle(at: time(1)).member == nil)
    }

    @Test func `attempts to connect wait longer and longer`() {
        var pool = pool(limit: 4)
        let error = PostgresError(code: .connection, message: "x")
        #expect(names(pool.wait(1, deadline: time(30), at: time(0))) == ["open"])
        #expect(names(pool.couldNotOpen(error, chance: 1, at: time(0))) == [])
        #expect(pool.nextDeadline == time(2))
        #expect(names(pool.expire(at: time(2))) == ["open"])
        #expect(names(pool.couldNotOpen(error, chance: 1, at: time(2))) == [])
        #expect(names(pool.wait(2, deadline: time(30), at: time(3))) == [])
        #expect(names(pool.expire(at: time(6))) == ["open", "open"])
        #expect(names(pool.opened(Member(), at: time(6))) == ["serve 1"])
        #expect(names(pool.couldNotOpen(error, chance: 1, at: time(6))) == [])
        #expect(names(pool.expire(at: time(30))) == ["refuse 2 connection"])
    }

    @Test func `an error that lasts refuses every waiter`() {
        var pool = pool(limit: 1)
        _ = pool.wait(1, deadline: time(30), at: time(0))
        _ = pool.wait(2, deadline: time(30), at: time(0))
        let error = PostgresError(code: .authentication, message: "x")
        #expect(
            names(pool.couldNotOpen(error, chance: 1, at: time(0))) == [
                "refuse 1 authentication", "refuse 2 authentication",
            ])
    }

    @Test func `a closed pool refuses and drains`() {
        var pool = pool(limit: 2)
        let member = Member()
        _ = pool.wait(1, deadline: time(30), at: time(0))
        _ = pool.opened(member, at: time(0))
        _ = pool.wait(2, deadline: time(30), at: time(0))
        #expect(names(pool.close()) == ["refuse 2 closed"])
        #expect(names(pool.wait(3, deadline: time(30), at: time(0))) == ["refuse 3 closed"])
        #expect(names(pool.opened(Member(), at: time(0))) == ["close"])
        #expect(!pool.isDrained)
        #expect(names(pool.put(member, isUsable: true, at: time(0))) == ["close"])
        #expect(pool.isDrained)
    }

    /// Whatever happens in whichever order: never more connections than the limit, nobody served twice, the line in
    /// order, and nobody who waits while a connection is idle.
    @Test(arguments: 0..<50 as Range<UInt64>) func `every order of events keeps the rules`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var pool = pool(limit: 3)
        var now = 0
        var used: [Member] = []
        var (opening, idle, nextID) = (0, [Member](), UInt64(0))
        var line: [UInt64] = []
        func perform(_ actions: [State.Action]) {
            for action in actions {
                switch action {
                case .open: opening += 1
                case .close(let member): idle.removeAll { $0 === member }
                case .refuse(let id, _): line.removeAll { $0 == id }
                case .serve(let id, let member):
                    #expect(line.first == id, "seed \(seed)")
                    line.removeFirst()
                    idle.removeAll { $0 === member }
                    used.append(member)
                }
            }
            #expect(used.count + idle.count + opening <= 3, "seed \(seed)")
            #expect(pool.count == used.count + idle.count + opening, "seed \(seed)")
            #expect(line.isEmpty || idle.isEmpty, "seed \(seed)")
        }
        for _ in 0..<300 {
            now += Int.random(in: 0...3, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                let (member, actions) = pool.takeIdle(at: time(now))
                if let member {
                    idle.removeAll { $0 === member }
                    used.append(member)
                }
                perform(actions)
                if member == nil {
                    nextID += 1
                    line.append(nextID)
                    perform(pool.wait(nextID, deadline: time(now + 20), at: time(now)))
                }
            case 2 where !used.isEmpty:
                let member = used.remove(at: Int.random(in: used.indices, using: &random))
                let isUsable = Int.random(in: 0..<4, using: &random) > 0
                idle.append(member)
                perform(pool.put(member, isUsable: isUsable, at: time(now)))
            case 3 where opening > 0:
                opening -= 1
                let member = Member()
                idle.append(member)
                perform(pool.opened(member, at: time(now)))
            case 4 where opening > 0:
                opening -= 1
                let code: PostgresError.Code = Bool.random(using: &random) ? .connection : .authentication
                perform(pool.couldNotOpen(PostgresError(code: code, message: ""), chance: 1, at: time(now)))
            case 5:
                if let id = line.randomElement(using: &random), pool.cancel(id) { line.removeAll { $0 == id } }
                if let member = idle.randomElement(using: &random) {
                    idle.removeAll { $0 === member }
                    perform(pool.lost(member, at: time(now)))
                }
            default: perform(pool.expire(at: time(now)))
            }
        }
    }
}
