// SPDX-License-Identifier: MIT

import DataSync
import Domain
import Foundation
import Sync
import Testing

@testable import parley

/// The lines of `parley status` about sync.
struct SyncStateTests {
    private let settings = SyncSettings(place: .folder("/tmp/place"), store: .file)

    /// A local time of a day in January 2026.
    private func time(_ day: Int, _ hour: Int, _ minute: Int) throws -> Date {
        try #require(
            Calendar(identifier: .gregorian).date(
                from: DateComponents(year: 2026, month: 1, day: day, hour: hour, minute: minute)))
    }

    @Test func `the time of today is said without its day`() throws {
        let now = try time(31, 18, 0)
        #expect(try time(31, 9, 5).clockTime(now) == "09:05")
        #expect(try time(30, 14, 5).clockTime(now) == "2026-01-30 14:05")
    }

    @Test func `nothing waits and there was an exchange`() throws {
        let summary = SyncSummary(waiting: 0, waitingSince: nil, lastExchange: try time(31, 9, 5), failure: nil)
        let state = SyncState(settings, summary, now: try time(31, 18, 0))
        #expect(state.lines == ["Nothing waits.", "Last exchange at 09:05."])
    }

    @Test func `what waits and the failure are said`() throws {
        let failure = SyncSummary.Failure(time: try time(31, 14, 10), reason: "The folder is gone.")
        let summary = SyncSummary(
            waiting: 3, waitingSince: try time(31, 14, 5), lastExchange: try time(30, 9, 5), failure: failure)
        var paused = settings
        paused.isPaused = true
        let state = SyncState(paused, summary, now: try time(31, 18, 0))
        #expect(
            state.lines == [
                "3 changes wait since 14:05. parley sync now sends them.",
                "The exchange at 14:10 failed: The folder is gone.", "Last exchange on 2026-01-30 09:05.",
                "Sync is paused. parley sync resume goes on.",
            ])
    }

    @Test(
        arguments: [
            (-301_000, "5 minutes behind"), (7_200_000, "2 hours ahead of"), (-31_536_000_000, "365 days behind"),
        ] as [(Int64, String)])
    func `a wrong clock is said with what to do`(lead: Int64, text: String) throws {
        let summary = SyncSummary(
            waiting: 0, waitingSince: nil, lastExchange: nil, failure: nil,
            clockWarning: ClockWarning(witness: .place, lead: lead))
        let state = SyncState(settings, summary, now: try time(31, 18, 0))
        #expect(state.clockLead == lead / 1_000 && state.lines.last == state.clock)
        let clock = try #require(state.clock)
        #expect(
            clock.english.contains("This machine's clock is \(text)")
                && clock.english.contains("timedatectl set-ntp true"))
    }

    @Test func `an own failure's text cannot drive the terminal`() throws {
        let failure = SyncSummary.Failure(time: try time(31, 14, 10), reason: "bad\u{1B}[31m")
        let summary = SyncSummary(waiting: 0, waitingSince: nil, lastExchange: nil, failure: failure)
        let state = SyncState(settings, summary, now: try time(31, 18, 0))
        #expect(state.lines.allSatisfy { !$0.english.contains("\u{1B}") } && state.lines.last == "No exchange yet.")
    }
}
