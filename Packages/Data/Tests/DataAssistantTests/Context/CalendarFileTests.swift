// SPDX-License-Identifier: MIT

import DataAssistant
import Domain
import DomainTestSupport
import Foundation
import TestKit
import Testing

@testable import DataAssistant

@Suite(.timeLimit(.minutes(5))) struct CalendarFileTests {
    /// Tuesday, 2026-11-24, 10:00 in a zone two hours east of UTC.
    private static let now = Date(timeIntervalSince1970: 1_795_507_200)
    private static let offset: ZoneSeconds = { zone, _ in [nil: 7_200, "Asia/Tokyo": 32_400][zone] }

    private func events(_ entries: String, cut: Int = .max) -> UpcomingEvents {
        var calendar = CalendarFile(from: Self.now, to: Self.now.addingTimeInterval(86_400), Self.offset)
        let text = "BEGIN:VCALENDAR\r\n" + entries.replacing("\n", with: "\r\n") + "\r\nEND:VCALENDAR\r\n"
        let bytes = Array(text.utf8)
        calendar.feed(Array(bytes.prefix(cut)))
        calendar.feed(Array(bytes.dropFirst(min(cut, bytes.count))))
        return calendar.result()
    }

    private func entry(_ title: String, _ lines: String...) -> String {
        "BEGIN:VEVENT\nUID:\(title)\nSUMMARY:\(title)\n\(lines.joined(separator: "\n"))\nEND:VEVENT"
    }

    private func minutes(_ lines: String...) -> [Int] {
        events(entry("x", lines.joined(separator: "\n"))).events.map(\.startsIn)
    }

    @Test(
        arguments: [
            ("DTSTART:20261124T090000Z", [60]), ("DTSTART:20261124T120000", [120]),
            ("DTSTART;TZID=Asia/Tokyo:20261124T180000", [60]), ("DTSTART;TZID=\"Mars/Base\":20261124T120000", [120]),
            ("DTSTART;VALUE=DATE:20261124", [0]), ("DTSTART;VALUE=DATE:20261125", [840]),
            ("DTSTART:20261124T095900", []), ("DTSTART:20261125T100000", []), ("DTSTART:20261125T095900", [1_439]),
            ("DTSTART:nonsense", []), ("DTSTART:20261324T120000", []), ("DTSTART:20261131T120000", []),
            ("DTSTART:", []),
        ]) func `an entry begins when it says`(start: String, expected: [Int])
    {
        #expect(minutes(start) == expected)
    }

    @Test(
        arguments: [
            ("20200101T120000", "FREQ=DAILY", true), ("20261123T120000", "FREQ=DAILY;INTERVAL=2", false),
            ("20261122T120000", "FREQ=DAILY;INTERVAL=2", true), ("20200107T120000", "FREQ=WEEKLY", true),
            ("20200108T120000", "FREQ=WEEKLY", false), ("20200108T120000", "FREQ=WEEKLY;BYDAY=WE,TU", true),
            ("20261110T120000", "FREQ=WEEKLY;INTERVAL=2", true), ("20261117T120000", "FREQ=WEEKLY;INTERVAL=2", false),
            ("20200124T120000", "FREQ=MONTHLY", true), ("20200131T120000", "FREQ=MONTHLY", false),
            ("20200101T120000", "FREQ=MONTHLY;BYMONTHDAY=-7", true),
            ("20200128T120000", "FREQ=MONTHLY;BYDAY=4TU", true),
            ("20200128T120000", "FREQ=MONTHLY;BYDAY=-1TU", true), ("20200128T120000", "FREQ=MONTHLY;BYDAY=3TU", false),
            ("20001124T120000", "FREQ=YEARLY", true), ("20001123T120000", "FREQ=YEARLY", false),
            ("20001128T120000", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TU", true),
            ("20261120T120000", "FREQ=DAILY;COUNT=5", true), ("20261120T120000", "FREQ=DAILY;COUNT=4", false),
            ("20260901T120000", "FREQ=DAILY;UNTIL=20260931", false),
            ("20261120T120000", "FREQ=DAILY;UNTIL=20261124T100000Z", true),
            ("20261120T120000", "FREQ=DAILY;UNTIL=20261124T095959Z", false),
            ("20261120T120000", "FREQ=DAILY;UNTIL=20261124", true), ("20261124T120000", "FREQ=WEEKLY;BYDAY=FR", true),
            ("20270101T120000", "FREQ=DAILY", false),
            // As dateutil's rrule has them.
            ("20200101T120000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-5", true),
            ("20200101T120000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-4,1", false),
            ("20200101T120000", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=8", true),
            ("20200106T120000", "FREQ=WEEKLY;BYDAY=MO,TU,FR;BYSETPOS=2", true),
            ("20200106T120000", "FREQ=WEEKLY;BYDAY=MO,TU,FR;BYSETPOS=-1", false),
            ("20200106T120000", "FREQ=WEEKLY;WKST=TU;BYDAY=MO,TU,FR;BYSETPOS=1", true),
            ("20200106T120000", "FREQ=YEARLY;BYMONTH=11,12;BYDAY=TU;BYSETPOS=4", true),
            ("20200106T120000", "FREQ=YEARLY;BYMONTH=11,12;BYDAY=TU;BYSETPOS=5", false),
            // The first set begins before the entry does: of its Tuesdays the 17th was the third.
            ("20261117T120000", "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3,4;COUNT=2", true),
            ("20261117T120000", "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3,4;COUNT=1", false),
            ("20261124T080000", "FREQ=HOURLY", true), ("20261124T080000", "FREQ=HOURLY;INTERVAL=3", false),
            ("20261120T080000", "FREQ=HOURLY;INTERVAL=5", true), ("20261123T120000", "FREQ=HOURLY;INTERVAL=24", true),
            ("20261123T123000", "FREQ=HOURLY", false), ("20200101T080000", "FREQ=HOURLY;BYHOUR=9,12", true),
            ("20200101T080000", "FREQ=HOURLY;BYDAY=MO", false), ("20261124T080000", "FREQ=HOURLY;COUNT=5", true),
            ("20261124T080000", "FREQ=HOURLY;COUNT=4", false), ("20261123T120000", "FREQ=HOURLY;COUNT=25", true),
            ("20261123T120000", "FREQ=HOURLY;COUNT=24", false),
            ("20261120T080000", "FREQ=HOURLY;UNTIL=20261124T095900Z", false),
        ]) func `a rule recurs today or not`(start: String, rule: String, isToday: Bool)
    {
        #expect(minutes("DTSTART:\(start)", "RRULE:\(rule)").contains(120) == isToday, "\(rule)")
    }

    @Test func `an hourly entry comes each hour`() {
        let found = minutes("DTSTART:20261124T090000", "RRULE:FREQ=HOURLY;INTERVAL=2;UNTIL=20261124T150000")
        #expect(found == [60, 180, 300], "11:00, 13:00 and 15:00")
        #expect(minutes("DTSTART:20261124T090000", "RRULE:FREQ=HOURLY;BYDAY=MO") == [], "and the entry itself was at 9")
    }

    @Test(arguments: ["-9223372036854775808MO", "9223372036854775807MO", "-54MO", "54MO", "0MO"])
    func `a place that no month has is no rule`(day: String) {
        #expect(RecurrenceRule("FREQ=MONTHLY;BYDAY=\(day)") == nil)
        let found = events(entry("x", "DTSTART:20200106T120000Z", "RRULE:FREQ=MONTHLY;BYDAY=\(day)"))
        #expect(found.events.isEmpty)
        #expect(RecurrenceRule("FREQ=MONTHLY;BYDAY=-53MO,+5TU,FR") != nil)
    }

    @Test func `an unknown rule is a gap`() {
        let found = events(entry("x", "DTSTART:20200101T120000Z", "RRULE:FREQ=SECONDLY"))
        #expect(found.events.isEmpty && found.gaps.count == 1)
    }

    @Test func `exceptions, replacements and cancellations hold`() {
        let series = "DTSTART:20200101T120000\nRRULE:FREQ=DAILY"
        #expect(minutes(series, "EXDATE:20261124T120000").isEmpty)
        #expect(minutes(series, "STATUS:CANCELLED").isEmpty)
        let moved =
            "BEGIN:VEVENT\nUID:x\nSUMMARY:moved\nDTSTART:20261124T150000\nRECURRENCE-ID:20261124T120000\nEND:VEVENT"
        for text in [entry("x", series) + "\n" + moved, moved + "\n" + entry("x", series)] {
            #expect(events(text).events == [.init(title: "moved", startsIn: 300)])
        }
        #expect(minutes("DTSTART:20200101T120000", "RDATE:20261124T130000,20261124T140000") == [180, 240])
    }

    @Test func `titles are unfolded wherever the bytes are cut, and alarms have none`() {
        let text =
            "BEGIN:VEVENT\nSUMMARY;LANGUAGE=\"x:y\":Zahn\\, ar\n zt — spät\nDTSTART:20261124T120000\n"
            + "BEGIN:VALARM\nSUMMARY:Alarm\nDTSTART:20261124T123000\nEND:VALARM\n\nEND:VEVENT"
        for cut in 0...(text.utf8.count + 60) {
            #expect(
                events(text, cut: cut).events == [.init(title: "Zahn, arzt — spät", startsIn: 120)], "cut at \(cut)")
        }
    }

    /// Bytes that a seed changes cost entries, never more.
    @Test(arguments: 0..<50 as Range<UInt64>) func `damage is survived`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(
            entry("x", "DTSTART:20200101T120000", "RRULE:FREQ=MONTHLY;BYDAY=-1TU;COUNT=9;INTERVAL=3", "EXDATE:20261124")
                .utf8)
        for _ in 0..<12 { bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random) }
        var calendar = CalendarFile(from: Self.now, to: Self.now.addingTimeInterval(86_400), Self.offset)
        calendar.feed(bytes + [10, 10])
        #expect(calendar.result().events.count <= UpcomingEvents.limit)
    }

    @Test func `dates are those of Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for day in stride(from: -30_000, to: 60_000, by: 37) {
            let moment = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: moment)
            let date = try #require(CalendarDate(dayNumber: day))
            #expect(date.year == parts.year && date.month == parts.month && date.day == parts.day)
            #expect(date.monthLength == calendar.range(of: .day, in: .month, for: moment)?.count)
            #expect(try CalendarTime.weekday(of: day) % 7 + 1 == #require(parts.weekday))
        }
    }

    /// RFC 5545 §3.3.5: the first of two, and the offset before the change for a time that is left out.
    @Test(
        arguments: [
            ("Europe/Berlin", "20261025T013000", "2026-10-24T23:30:00Z"),
            ("Europe/Berlin", "20261025T023000", "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "20261025T033000", "2026-10-25T02:30:00Z"),
            ("Europe/Berlin", "20260329T013000", "2026-03-29T00:30:00Z"),
            ("Europe/Berlin", "20260329T023000", "2026-03-29T01:30:00Z"),
            ("Europe/Berlin", "20260329T033000", "2026-03-29T01:30:00Z"),
            ("America/New_York", "20261101T013000", "2026-11-01T05:30:00Z"),
            ("America/New_York", "20261101T023000", "2026-11-01T07:30:00Z"),
            ("America/New_York", "20260308T023000", "2026-03-08T07:30:00Z"),
            ("Pacific/Kiritimati", "20260101T000000", "2025-12-31T10:00:00Z"),
        ]) func `a time that clocks show twice or never has one moment`(name: String, text: String, moment: String)
        throws
    {
        let zones = SystemTimeZones(variable: nil)
        let zone = CalendarZone { (try? zones.offset(in: name, at: $0))?.seconds ?? 0 }
        let time = try #require(CalendarTime(text[...]))
        #expect(time.date(in: zone).formatted(.iso8601) == moment)
        if !text.hasPrefix("202603") { #expect(CalendarTime(time.date(in: zone), in: zone) == time) }
    }

    // MARK: Files

    private func source(_ paths: [String]) -> CalendarContextSource {
        CalendarContextSource(paths, now: { Self.now }, offset: Self.offset)
    }

    private func read(_ paths: [String]) async throws -> UpcomingEvents? {
        guard case .events(let events) = try await source(paths).read() else { return nil }
        return events
    }

    @Test func `a file of 50 MB with a recurrence for ever stays bounded and is reported`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("big.ics")
        let first = entry("for ever", "DTSTART:19000101T120000", "RRULE:FREQ=DAILY") + "\n"
        let filler = "DESCRIPTION:" + String(repeating: "x", count: 1 << 20) + "\n"
        try Data((first + String(repeating: filler, count: 50)).utf8).write(to: URL(filePath: path))
        let found = try await read([path])
        #expect(found?.events == [.init(title: "for ever", startsIn: 120)])
        #expect(found?.gaps == ["Only the first 16 MB of the calendars are read."])
    }

    @Test func `counting has an end`() {
        let start = "DTSTART:00010101T120000", rule = "RRULE:FREQ=DAILY;COUNT=99999999"
        let found = events((0..<4).map { entry("\($0)", start, rule) }.joined(separator: "\n"))
        #expect(!found.gaps.isEmpty && found.events.count < 4)
    }

    /// Each of them cost minutes when every day went through the whole list. 2026-11-24 is the fourth Tuesday.
    @Test(arguments: ["BYMONTHDAY=24", "BYDAY=4TU", "BYMONTHDAY=24;BYSETPOS=1"])
    func `a long line costs no more than a short one`(part: String) throws {
        let value = try #require(part.split(separator: "=").last)
        let list = String(repeating: ",\(value)", count: CalendarFile.lineLimit / (value.count + 1) - 20)
        let rule = "RRULE:FREQ=MONTHLY;COUNT=99999999;\(part)\(list)"
        let found = events((0..<4).map { entry("\($0)", "DTSTART:00010101T120000", rule) }.joined(separator: "\n"))
        #expect(!found.gaps.isEmpty && found.events.count < 4)
    }

    @Test func `many exceptions cost no more than the line that holds them`() {
        let day = "20261124T120000"
        let dates = Array(repeating: day, count: CalendarFile.lineLimit / 17).joined(separator: ",")
        let lines = Array(repeating: "EXDATE:\(dates)\nRDATE:\(dates)", count: 20)
        #expect(minutes("DTSTART:\(day)", lines.joined(separator: "\n")).isEmpty)
    }

    @Test func `the files of a folder are read, and a missing one is an error`() async throws {
        let folder = try TemporaryFolder()
        for (name, hour) in [("a.ics", 12), ("b.ics", 13), ("c.txt", 14)] {
            try Data(entry(name, "DTSTART:20261124T\(hour)0000").utf8).write(to: URL(filePath: folder.file(name)))
        }
        #expect(try await read([folder.path])?.events.map(\.title) == ["a.ics", "b.ics"])
        let error = await #expect(throws: DomainError.self) { _ = try await read([folder.file("missing.ics")]) }
        #expect(error?.code == "file")
    }

    @Test(arguments: ContextSourceContract.checks)
    func contract(_ check: ContractCheck<ContextSourceSubject>) async throws {
        let folder = try TemporaryFolder()
        try Data(entry("Lunch", "DTSTART:20261124T120000").utf8).write(to: URL(filePath: folder.file("a.ics")))
        let missing = source([folder.file("missing.ics")])
        try await check.run(ContextSourceSubject(source([folder.path]), failing: ["file": { missing }]))
    }
}
