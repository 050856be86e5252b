// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@Suite struct AlarmTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func timer(_ seconds: Double, claimedAt: Double? = nil) -> Alarm {
        Alarm(
            kind: .timer(.seconds(60)), due: now.addingTimeInterval(seconds),
            claimedAt: claimedAt.map { now.addingTimeInterval($0) })
    }

    @Test(
        arguments: [
            ("pasta", "pasta"), ("  two\n words\t", "two words"), ("", nil), (" \u{202E}\u{200B}\u{0} ", nil),
            ("\u{1B}[31mred\u{7}", "[31mred"), ("a\u{2028}b", "a b"), ("日本 é", "日本 é"),
            (String(repeating: "x", count: 500), String(repeating: "x", count: Alarm.labelLimit)),
        ] as [(String, String?)])
    func `a label is one line of visible text`(text: String, label: String?) {
        #expect(Alarm(kind: .alarm, due: Self.now, label: text).label == label)
    }

    @Test func `what is due rings, and what is long past is told`() {
        let (next, late) = (Self.timer(5), Self.timer(50))
        let (old, due, older) = (Self.timer(-30), Self.timer(0), Self.timer(-601))
        let edge = Self.timer(-600)
        let alarms = DueAlarms([late, next, due, older, old, edge], at: Self.now)
        #expect(alarms.ringing == [edge, old, due])
        #expect(alarms.missed == [older])
        #expect(alarms.next == next.due)
    }

    @Test func `what another process rings is left to it, until its claim expires`() {
        let held = Self.timer(-1, claimedAt: -Alarm.claimLimit + 1)
        let expired = Self.timer(-1, claimedAt: -Alarm.claimLimit)
        let future = Self.timer(-1, claimedAt: 1)
        #expect(DueAlarms([held, expired], at: Self.now).ringing == [expired])
        #expect(DueAlarms([future], at: Self.now).ringing == [future], "the clock was set back")
    }
}

@Suite struct RingingTests {
    private static func alarm() -> Alarm { Alarm(kind: .alarm, due: Date(timeIntervalSince1970: 0)) }
    private let one = alarm()
    private let two = alarm()

    @Test func `it ends after a minute, each alarm by its own time`() {
        var ringing = Ringing()
        #expect(ringing.remaining(at: .zero) == nil)
        #expect(ringing.handle(.claimed([one]), at: .seconds(5)) == .ring([one]))
        #expect(ringing.handle(.claimed([two]), at: .seconds(25)) == .ring([one, two]))
        #expect(ringing.remaining(at: .seconds(30)) == .seconds(35))
        #expect(ringing.handle(.time, at: .seconds(64)) == nil)
        #expect(ringing.handle(.time, at: .seconds(65)) == .end([one], .unanswered))
        #expect(ringing.handle(.time, at: .seconds(90)) == .end([two], .unanswered))
        #expect(ringing.alarms.isEmpty && ringing.remaining(at: .seconds(99)) == nil)
    }

    @Test func `a person stops all of them, once`() {
        var ringing = Ringing()
        _ = ringing.handle(.claimed([one, two]), at: .zero)
        #expect(ringing.handle(.stop, at: .seconds(1)) == .end([one, two], .stopped))
        #expect(ringing.handle(.stop, at: .seconds(1)) == nil)
    }

    @Test func `what another process removes is cancelled, the rest rings on`() {
        var ringing = Ringing()
        _ = ringing.handle(.claimed([one, two]), at: .zero)
        #expect(ringing.handle(.stored([two.id]), at: .seconds(1)) == .end([one], .cancelled))
        #expect(ringing.handle(.stored([two.id]), at: .seconds(2)) == nil)
        #expect(ringing.alarms == [two])
    }

    @Test func `an alarm that is claimed twice rings once and no longer`() {
        var ringing = Ringing()
        _ = ringing.handle(.claimed([one]), at: .zero)
        #expect(ringing.handle(.claimed([one]), at: .seconds(50)) == nil)
        #expect(ringing.handle(.time, at: .seconds(60)) == .end([one], .unanswered))
    }

    @Test func `in any order of events what rings is what began and has not ended`() {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<200 {
            var (ringing, oracle, position) = (Ringing(), Set<Identifier<Alarm>>(), Duration.zero)
            let alarms = (0..<4).map { _ in Self.alarm() }
            for _ in 0..<40 {
                position += .seconds(Int.random(in: 0...40, using: &generator))
                let some = alarms.filter { _ in Bool.random(using: &generator) }
                let event: Ringing.Event =
                    [.claimed(some), .stored(Set(some.map(\.id))), .stop, .time].randomElement(using: &generator)!
                switch ringing.handle(event, at: position) {
                case .ring(let all): oracle.formUnion(all.map(\.id))
                case .end(let ended, _): oracle.subtract(ended.map(\.id))
                case nil: break
                }
                #expect(Set(ringing.alarms.map(\.id)) == oracle && ringing.alarms.count == oracle.count, "\(round)")
                #expect(oracle.isEmpty == (ringing.remaining(at: position) == nil), "round \(round)")
            }
        }
    }
}
