// SPDX-License-Identifier: MIT

import Domain
import TestKit
import Testing

@testable import LocalIntents

@Suite struct DateAndTimeTests {
    /// A Thursday.
    private let today = CalendarDate(year: 2026, month: 11, day: 26)

    @Test(arguments: [
        ("5 minutes", 300), ("an hour", 3600), ("an hour and a half", 5400), ("half an hour", 1800), ("2h 30m", 9000),
        ("one and a half hours", 5400), ("a quarter of an hour", 900), ("three quarters of an hour", 2700),
        ("ninety seconds", 90), ("2 hours, 5 minutes and 10 seconds", 7510), ("a minute and a half", 90),
        ("1/2 hour", 1800), ("2 1/2 hours", 9000), ("a couple of minutes", 120), ("three days", 259_200),
    ]) func `durations are read`(text: String, seconds: Int) throws {
        let tokens = try #require(TextTokeniser.tokens(of: text))
        let found = try #require(DurationReader.read(tokens, at: 0))
        #expect(found.value == .seconds(seconds) && found.end == tokens.count)
    }

    @Test(arguments: ["0 minutes", "minus five minutes", "5", "minutes", "900 days", "5 apples"])
    func `other words are no duration`(text: String) throws {
        #expect(DurationReader.read(try #require(TextTokeniser.tokens(of: text)), at: 0) == nil)
    }

    @Test(arguments: [
        ("7", "07:00?"), ("7 am", "07:00"), ("7:30 p.m.", "19:30"), ("19:30", "19:30"), ("12 am", "00:00"),
        ("12 pm", "12:00"), ("noon", "12:00"), ("midnight", "00:00"), ("half past six", "06:30?"),
        ("a quarter to nine", "08:45?"), ("ten past three", "03:10?"), ("twenty to one in the morning", "00:40"),
        ("seven thirty", "07:30?"), ("seven oh five pm", "19:05"), ("six in the evening", "18:00"), ("07:05", "07:05"),
        ("9 o'clock", "09:00?"), ("nineteen thirty", "19:30"), ("11 at night", "23:00"), ("5 a m", "05:00"),
    ]) func `clock times are read`(text: String, time: String) throws {
        let tokens = try #require(TextTokeniser.tokens(of: text))
        let found = try #require(ClockTimeReader.read(tokens, at: 0))
        #expect(found.value.description == time && found.end == tokens.count)
    }

    @Test(arguments: [
        ("today", "2026-11-26"), ("tomorrow", "2026-11-27"), ("yesterday", "2026-11-25"),
        ("the day after tomorrow", "2026-11-28"), ("friday", "2026-11-27"), ("thursday", "2026-12-03"),
        ("next monday", "2026-11-30"), ("next friday", "2026-12-04"), ("last thursday", "2026-11-19"),
        ("in three weeks", "2026-12-17"), ("two days ago", "2026-11-24"), ("the 3rd of May", "2027-05-03"),
        ("May 3", "2027-05-03"), ("december twenty-fifth", "2026-12-25"), ("March 1, 1999", "1999-03-01"),
        ("november ninth nineteen eighty nine", "1989-11-09"), ("2024-02-29", "2024-02-29"),
        ("february 29", "2028-02-29"), ("christmas eve", "2026-12-24"), ("a week from today", "2026-12-03"),
        ("may third twenty oh five", "2005-05-03"), ("july 4 two thousand and four", "2004-07-04"),
    ]) func `days are read`(text: String, date: String) throws {
        let tokens = try #require(TextTokeniser.tokens(of: text))
        let found = try #require(DateReader.read(tokens, at: 0))
        #expect(found.end == tokens.count)
        #expect(found.value.resolved(on: try #require(today))?.description == date)
    }

    @Test(arguments: ["february 30", "2025-02-29", "may", "the 32nd of may", "day", "next"])
    func `other words are no day`(text: String) throws {
        let tokens = try #require(TextTokeniser.tokens(of: text))
        #expect(DateReader.read(tokens, at: 0).map { $0.end == tokens.count } != true)
    }

    @Test(arguments: [
        ("tonight at 1", "2026-11-27 01:00"), ("at 1 tomorrow night", "2026-11-28 01:00"), ("at 1", "2026-11-30 01:00"),
        ("tonight at 8", "2026-11-26 20:00"), ("at 8 tomorrow", "2026-11-27 08:00"),
    ]) func `words choose the alarm that they set`(when: String, expected: String) throws {
        guard case .cancelAlarm(.at(let time))? = IntentReader().read("cancel the alarm \(when)")?.intent else {
            Issue.record("not read")
            return
        }
        let today = try #require(today)
        let dateTokens = try #require(TextTokeniser.tokens(of: String(expected.prefix(10))))
        let date = try #require(DateReader.read(dateTokens, at: 0)?.value.resolved(on: today))
        let clockTokens = try #require(TextTokeniser.tokens(of: String(expected.suffix(5))))
        let clock = try #require(ClockTimeReader.read(clockTokens, at: 0)?.value)
        #expect(time.chooses(clock, on: date, today: today))
        let earlier = try #require(date.adding(days: -2))
        #expect(time.chooses(clock, on: earlier, today: today) == (time.day == nil))
        let later = try #require(ClockTime(hour: clock.hour, minute: 1))
        #expect(!time.chooses(later, on: date, today: today))
    }

    @Test func `weekdays follow each other over leap years and centuries`() throws {
        var date = try #require(CalendarDate(year: 1899, month: 12, day: 31))
        #expect(date.weekday == .sunday)
        for _ in 0..<80_000 {
            let next = try #require(date.adding(days: 1))
            #expect(next.weekday.rawValue == date.weekday.rawValue % 7 + 1)
            date = next
        }
        #expect(CalendarDate(year: 9999, month: 12, day: 31)?.adding(days: 1) == nil)
        #expect(date.adding(days: .max) == nil)
    }

    @Test(arguments: [
        ("set an alarm for 7", "10:00", "2026-11-26 19:00"), ("set an alarm for 7", "20:00", "2026-11-27 07:00"),
        ("set an alarm for 7 am", "10:00", "2026-11-27 07:00"),
        ("set an alarm for 7 tomorrow", "10:00", "2026-11-27 07:00"),
        ("set an alarm for 5 tomorrow", "10:00", "2026-11-27 17:00"),
        ("wake me tomorrow morning at 5", "10:00", "2026-11-27 05:00"),
        ("set an alarm for 8 tonight", "10:00", "2026-11-26 20:00"), ("set an alarm for 8 am today", "10:00", "nil"),
        ("set an alarm for noon on saturday", "10:00", "2026-11-28 12:00"),
        ("set an alarm for noon yesterday", "10:00", "nil"),
        ("set an alarm for 12:30 tonight", "10:00", "2026-11-27 00:30"),
        ("set an alarm for 12 tomorrow night", "10:00", "2026-11-28 00:00"),
        ("wake me at 1 tonight", "00:10", "2026-11-26 01:00"), ("wake me at 1 tonight", "01:00", "2026-11-27 01:00"),
        ("wake me tonight at 12:05", "00:10", "2026-11-27 00:05"),
        ("set an alarm for midnight tonight", "15:00", "2026-11-27 00:00"),
        ("set an alarm for 1 tonight", "15:00", "2026-11-27 01:00"),
        ("set an alarm for 12 tonight", "23:00", "2026-11-27 00:00"),
        ("set an alarm for 00:30 tonight", "15:00", "2026-11-27 00:30"),
        ("set an alarm for 2 am tonight", "22:00", "2026-11-27 02:00"),
        ("set an alarm for 4:59 this night", "10:00", "2026-11-27 04:59"),
        ("set an alarm for 5 tonight", "10:00", "2026-11-26 17:00"),
        ("set an alarm for half past twelve tonight", "10:00", "2026-11-27 00:30"),
        ("set an alarm for 11 tonight", "00:10", "2026-11-26 23:00"),
        ("set an alarm for 11 tonight", "23:30", "nil"),
        ("set an alarm for 1 on friday night", "10:00", "2026-11-28 01:00"),
        ("set an alarm for 12:30 at night", "10:00", "2026-11-27 00:30"),
        ("set an alarm for 12 tomorrow morning", "10:00", "2026-11-27 00:00"),
        ("set an alarm for 9 tomorrow night", "10:00", "2026-11-27 21:00"),
    ]) func `an alarm rings at the next time that is meant`(text: String, now: String, expected: String) throws {
        let tokens = try #require(TextTokeniser.tokens(of: now))
        let clock = try #require(ClockTimeReader.read(tokens, at: 0)?.value)
        guard case .setAlarm(let time?, label: nil)? = IntentReader().read(text)?.intent else {
            Issue.record("not read")
            return
        }
        let found = time.resolved(on: try #require(today), at: clock.inHalf(.am))
        #expect((found.map { "\($0.date) \($0.clock)" } ?? "nil") == expected)
    }
}
