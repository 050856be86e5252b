// SPDX-License-Identifier: MIT

import Diagnostics
import TestKit
import Testing

extension LatencyLedger.Stage {
    fileprivate static let heard = Self("speech.end")
    fileprivate static let understood = Self("answer.ready")
    fileprivate static let audible = Self("playback.first")
}

/// A clock that a test moves, with the instants that a ledger takes.
private struct LedgerClock {
    private let clock = ManualClock()
    private let start = ContinuousClock.now
    func advance(by duration: Duration) { clock.advance(by: duration) }
    func now() -> ContinuousClock.Instant { start.advanced(by: clock.now.offset) }
}

@Suite struct LatencyLedgerTests {
    @Test func firstMarkOfAStageWins() {
        let clock = LedgerClock()
        let ledger = LatencyLedger(id: "t", now: clock.now)
        ledger.mark(.heard)
        clock.advance(by: .milliseconds(120))
        ledger.mark(.audible)
        clock.advance(by: .seconds(1))
        ledger.mark(.audible)
        ledger.mark(.heard, at: clock.now())
        #expect(ledger.interval(from: .heard, to: .audible) == .milliseconds(120))
        #expect(ledger.interval(from: .audible, to: .heard) == .milliseconds(-120))
        #expect(ledger.interval(from: .heard, to: .understood) == nil)
        #expect(ledger.instant(of: .understood) == nil)
    }

    @Test func reportIsInTheOrderOfTimeNotOfMarks() {
        let clock = LedgerClock()
        let start = clock.now()
        let ledger = LatencyLedger(id: "turn-1", now: clock.now)
        ledger.mark(.audible, at: start.advanced(by: .milliseconds(250)))
        ledger.mark(.heard, at: start)
        ledger.mark(.understood, at: start.advanced(by: .microseconds(40_500)))
        let report = ledger.report
        #expect(report.id == "turn-1")
        #expect(
            report.entries == [
                .init(stage: .heard, sinceStart: .zero, sincePrevious: .zero),
                .init(stage: .understood, sinceStart: .microseconds(40_500), sincePrevious: .microseconds(40_500)),
                .init(stage: .audible, sinceStart: .milliseconds(250), sincePrevious: .microseconds(209_500)),
            ])
        #expect(report.milliseconds.map(\.stage) == ["speech.end", "answer.ready", "playback.first"])
        #expect(report.milliseconds.map(\.milliseconds) == [0, 40.5, 250])
        #expect(
            report.formatted() == """
                stage           at ms    +ms
                speech.end        0.0    0.0
                answer.ready     40.5   40.5
                playback.first  250.0  209.5
                """)
    }

    @Test func anEmptyLedgerHasAnEmptyReport() {
        let report = LatencyLedger(id: "t").report
        #expect(report.entries.isEmpty)
        #expect(report.milliseconds.isEmpty)
        #expect(report.formatted() == "stage  at ms  +ms")
    }

    @Test func formattingSurvivesAbsurdValues() {
        let huge = Duration(secondsComponent: .max, attosecondsComponent: 0)
        let report = LatencyReport(
            id: "t", entries: [.init(stage: .init("a\nb"), sinceStart: huge, sincePrevious: .milliseconds(-5))])
        #expect(report.formatted().split(separator: "\n").count == 2)
        #expect(report.formatted().hasSuffix("-5.0"))
    }

    @Test func concurrentMarksKeepOneMarkAStage() async {
        let ledger = LatencyLedger(id: "t")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for index in 0..<200 {
                        ledger.mark(.init("stage-\(index % 40)"))
                        if index % 50 == 0 { _ = ledger.report }
                    }
                }
            }
        }
        let entries = ledger.report.entries
        #expect(entries.count == 40)
        #expect(Set(entries.map(\.stage)).count == 40)
        #expect(entries.allSatisfy { $0.sincePrevious >= .zero })
        #expect(entries.map(\.sinceStart) == entries.map(\.sinceStart).sorted())
    }
}
