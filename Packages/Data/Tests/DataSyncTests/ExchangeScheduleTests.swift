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

    /// An event at a time in seconds, and the step after it.
    private typealias Row = (at: Double, event: Event?, step: ExchangeSchedule.Step)

    private func check(_ rows: [Row], sourceLocation: SourceLocation = #_sourceLocation) {
        var schedule = ExchangeSchedule(at: .zero)
        for (number, row) in rows.enumerated() {
            let now = Duration.seconds(row.at)
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

    private static func wait(_ seconds: Double) -> ExchangeSchedule.Step { .wait(until: .seconds(seconds)) }
    private static let begun: [Row] = [(0, nil, .exchange(.whole)), (1, .done(.whole), wait(901))]

    @Test func `the first exchange is whole, then there is one each 15 minutes and a whole one a day later`() {
        check(
            Self.begun + [
                (901, nil, .exchange(.usual)), (902, .done(.usual), Self.wait(1_802)),
                (86_401, nil, .exchange(.whole)), (86_402, .done(.whole), Self.wait(87_302)),
            ])
    }

    @Test func `changes and news come together a moment later`() {
        check(
            Self.begun + [
                (10, .note(.changed), Self.wait(10.02)), (10.01, .note(.changed), Self.wait(10.02)),
                (10.02, nil, .exchange(.offer)), (10.1, .done(.offer), Self.wait(901)),
                (20, .note(.news), Self.wait(20.02)), (20.01, .note(.changed), Self.wait(20.02)),
                (20.03, nil, .exchange(.usual)), (20.1, .done(.usual), Self.wait(920.1)),
            ])
    }

    @Test func `an offer with nothing to offer leaves the rest as it was`() {
        check(
            Self.begun + [
                (10, .note(.changed), Self.wait(10.02)), (10.02, nil, .exchange(.offer)), (10.03, .idle, Self.wait(901)),
            ])
    }

    @Test func `an occasion during an exchange makes another one`() {
        check(
            Self.begun + [
                (10, .note(.news), Self.wait(10.02)), (10.02, nil, .exchange(.usual)),
                (10.03, .note(.news), Self.wait(10.05)), (10.04, .done(.usual), Self.wait(10.05)),
                (10.05, nil, .exchange(.usual)),
            ])
    }

    @Test func `failures wait longer each time and changes do not shorten that`() {
        check([
            (0, nil, .exchange(.whole)), (1, .failed(.whole), Self.wait(3)), (2, .note(.changed), Self.wait(3)),
            (3, nil, .exchange(.whole)), (3, .failed(.whole), Self.wait(7)), (4, .note(.news), Self.wait(7)),
            (7, nil, .exchange(.whole)), (8, .done(.whole), Self.wait(908)),
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
        #expect(schedule.next(at: .zero) == Self.wait(300))
        _ = schedule.failed(.usual, code: "offline", at: .zero, chance: 0)
        #expect(schedule.next(at: .zero) == Self.wait(150))
    }

    @Test func `the network's return ends a pause`() {
        check([
            (0, nil, .exchange(.whole)), (1, .failed(.whole), Self.wait(3)), (2, .note(.available), .exchange(.usual)),
            (2.1, .done(.usual), Self.wait(3)), (3, nil, .exchange(.whole)),
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
