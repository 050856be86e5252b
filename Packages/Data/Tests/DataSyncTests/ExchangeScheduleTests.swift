// SPDX-License-Identifier: MIT

import Testing

@testable import DataSync

/// The times of exchanges, as tables of events and steps.
struct ExchangeScheduleTests {
    private enum Event: Sendable {
        case note(ExchangeSchedule.Occasion)
        case done(ExchangeSchedule.Extent)
        /// An offer with nothing to offer.
        case idle
        case failed(ExchangeSchedule.Extent)
    }

    /// An event at a time in milliseconds, and the step after it.
    private typealias Row = (at: Int, event: Event?, step: ExchangeSchedule.Step)

    private func check(_ rows: [Row], sourceLocation: SourceLocation = #_sourceLocation) {
        var schedule = ExchangeSchedule(at: .zero)
        for (number, row) in rows.enumerated() {
            let now = Duration.milliseconds(row.at)
            switch row.event {
            case .note(let occasion): schedule.note(occasion, at: now)
            case .done(let extent): _ = schedule.finished(extent, didAsk: true, at: now)
            case .idle: _ = schedule.finished(.offer, didAsk: false, at: now)
            case .failed(let extent): _ = schedule.failed(extent, code: "offline", at: now, chance: 1)
            case nil: break
            }
            #expect(schedule.next(at: now) == row.step, "row \(number)", sourceLocation: sourceLocation)
        }
    }

    private static func wait(_ milliseconds: Int) -> ExchangeSchedule.Step { .wait(until: .milliseconds(milliseconds)) }
    private static let begun: [Row] = [(0, nil, .exchange(.whole)), (1000, .done(.whole), wait(901_000))]

    @Test func `the first exchange is whole, then there is one each 15 minutes and a whole one a day later`() {
        check(
            Self.begun + [
                (901_000, nil, .exchange(.usual)), (902_000, .done(.usual), Self.wait(1_802_000)),
                (86_401_000, nil, .exchange(.whole)), (86_402_000, .done(.whole), Self.wait(87_302_000)),
            ])
    }

    @Test func `changes and news come together a moment later`() {
        check(
            Self.begun + [
                (10_000, .note(.changed), Self.wait(10_020)), (10_010, .note(.changed), Self.wait(10_020)),
                (10_020, nil, .exchange(.offer)), (10_100, .done(.offer), Self.wait(901_000)),
                (20_000, .note(.news), Self.wait(20_020)), (20_010, .note(.changed), Self.wait(20_020)),
                (20_030, nil, .exchange(.usual)), (20_100, .done(.usual), Self.wait(920_100)),
            ])
    }

    @Test func `an offer with nothing to offer leaves the rest as it was`() {
        check(
            Self.begun + [
                (10_000, .note(.changed), Self.wait(10_020)), (10_020, nil, .exchange(.offer)),
                (10_030, .idle, Self.wait(901_000)),
            ])
    }

    @Test func `an occasion during an exchange makes another one`() {
        check(
            Self.begun + [
                (10_000, .note(.news), Self.wait(10_020)), (10_020, nil, .exchange(.usual)),
                (10_030, .note(.news), Self.wait(10_050)), (10_040, .done(.usual), Self.wait(10_050)),
                (10_050, nil, .exchange(.usual)),
            ])
    }

    @Test func `failures wait longer each time and changes do not shorten that`() {
        check([
            (0, nil, .exchange(.whole)), (1000, .failed(.whole), Self.wait(3000)),
            (2000, .note(.changed), Self.wait(3000)),
            (3000, nil, .exchange(.whole)), (3000, .failed(.whole), Self.wait(7000)),
            (7000, nil, .exchange(.whole)), (8000, .done(.whole), Self.wait(908_000)),
        ])
    }

    @Test func `news of the place shorten a long pause to two seconds`() {
        check([
            (0, nil, .exchange(.whole)), (1000, .failed(.whole), Self.wait(3000)),
            (3000, nil, .exchange(.whole)), (3000, .failed(.whole), Self.wait(7000)),
            (4000, .note(.news), Self.wait(6000)), (6000, nil, .exchange(.usual)),
            (6500, .done(.usual), Self.wait(7000)), (7000, nil, .exchange(.whole)),
        ])
    }

    @Test func `the pause after a failure is five minutes at most`() {
        var schedule = ExchangeSchedule(at: .zero)
        for _ in 0..<20 {
            guard case .exchange(let extent) = schedule.next(at: .seconds(0)) else { break }
            _ = schedule.failed(extent, code: "offline", at: .zero, chance: 1)
            schedule.note(.available, at: .zero)
        }
        _ = schedule.next(at: .zero)
        _ = schedule.failed(.usual, code: "offline", at: .zero, chance: 1)
        #expect(schedule.next(at: .zero) == Self.wait(300_000))
        _ = schedule.failed(.usual, code: "offline", at: .zero, chance: 0)
        #expect(schedule.next(at: .zero) == Self.wait(150_000))
    }

    @Test func `the network's return ends a pause`() {
        check([
            (0, nil, .exchange(.whole)), (1000, .failed(.whole), Self.wait(3000)),
            (2000, .note(.available), .exchange(.usual)),
            (2100, .done(.usual), Self.wait(3000)), (3000, nil, .exchange(.whole)),
        ])
    }

    @Test func `a failure is said once, and so is its end`() {
        var schedule = ExchangeSchedule(at: .zero)
        let said = ["offline", "offline", "server", "offline"].map { code in
            schedule.failed(.usual, code: code, at: .zero, chance: 0)
        }
        #expect(said == [true, false, true, true])
        let ends = [(ExchangeSchedule.Extent.offer, false), (.usual, true), (.usual, true)].map { extent, didAsk in
            schedule.finished(extent, didAsk: didAsk, at: .zero)
        }
        #expect(ends == [false, true, false])
        let again = schedule.failed(.usual, code: "offline", at: .zero, chance: 0)
        #expect(again)
    }
}
