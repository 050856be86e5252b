// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
    /// 2024-02-29 12:00:00 UTC.
    private static let leapDay = Date(timeIntervalSince1970: 1_709_208_000)

    private func read(_ text: String, now: Date = leapDay) -> Int64? {
        HTTPDate(text, now: now)?.secondsSince1970
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994",
    ])
    func `the standard's three formats are the same moment`(text: String) {
        #expect(read(text) == 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
        ] as [(String, Int64)])
    func `edges of the calendar`(text: String, seconds: Int64) {
        #expect(read(text) == seconds)
    }

    @Test(arguments: [
        "", " ", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 gmt",
        "sun, 06 Nov 1994 08:49:37 GMT", "SUN, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 23:59:61 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 08:49:37 GMT",
        "Thu, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94", "Sun Nov   08:49:37 1994",
        "Sun Nov 00 08:49:37 1994", "Fri, 31 Dec 9999 23:59:60 GMT", "Sun, 06 Nov 1994 08:49:37 GMT\u{0}",
        "Sün, 06 Nov 1994 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "784111777", "1994-11-06T08:49:37Z",
    ])
    func `anything else is refused`(text: String) {
        #expect(read(text) == nil)
    }

    @Test(arguments: [
        // Now is 2024-02-29 12:00:00: exactly fifty years ahead is still the future, a second more is the past.
        ("Thursday, 01-Mar-74 12:00:00 GMT", "Thu, 01 Mar 2074 12:00:00 GMT"),
        ("Thursday, 01-Mar-74 12:00:01 GMT", "Fri, 01 Mar 1974 12:00:01 GMT"),
        ("Friday, 01-Jan-00 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"),
        ("Friday, 31-Dec-99 23:59:59 GMT", "Fri, 31 Dec 1999 23:59:59 GMT"),
        ("Friday, 29-Feb-24 12:00:00 GMT", "Thu, 29 Feb 2024 12:00:00 GMT"),
    ])
    func `a two-digit year is never more than fifty years ahead`(text: String, meaning: String) {
        #expect(HTTPDate(text, now: Self.leapDay)?.description == meaning)
    }

    @Test func `a two-digit year follows today's century`() {
        let text = "Sunday, 06-Nov-94 08:49:37 GMT"
        let years = [1990: "1994", 2043: "1994", 2045: "2094", 2090: "2094", 2130: "2094", 2145: "2194"]
        for (year, meaning) in years {
            let now = HTTPDate("Sat, 01 Jan \(year) 00:00:00 GMT", now: Self.leapDay)
            let read = HTTPDate(text, now: now?.date ?? Self.leapDay)
            #expect(read?.description.contains(" \(meaning) ") == true, "seen from \(year)")
        }
        // There was a 29 February in 2000 but not in 1900 or 2100.
        let in2060 = HTTPDate("Sat, 01 Jan 2060 00:00:00 GMT", now: Self.leapDay)?.date ?? Self.leapDay
        #expect(HTTPDate("Monday, 29-Feb-00 00:00:00 GMT", now: in2060) == nil)
    }

    @Test func `every date survives being written and read`() {
        var random = SeededGenerator(seed: 0x9110)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let text = HTTPDate(secondsSince1970: seconds)?.description ?? ""
            #expect(text.utf8.count == 29)
            #expect(read(text) == seconds, "\(text), seed 0x9110")
        }
    }

    @Test func `the calendar agrees with Foundation's`() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var random = SeededGenerator(seed: 850)
        for _ in 0..<2000 {
            // From 1600 on, since Foundation changes to the Julian calendar in 1582.
            let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &random)
            let moment = Date(timeIntervalSince1970: Double(seconds))
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: moment)
            let text = HTTPDate(moment)?.description ?? ""
            let words = text.split(separator: " ")
            #expect(Int(words[3]) == parts.year, "\(text), seed 850")
            #expect(Int(words[1]) == parts.day, "\(text), seed 850")
            let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
            #expect(words[0].prefix(3) == names[(parts.weekday ?? 1) - 1], "\(text), seed 850")
        }
    }

    @Test func `damaged dates are refused or read as a date, never worse`() {
        var random = SeededGenerator(seed: 5322)
        let samples = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
        for _ in 0..<20_000 {
            var bytes = Array(samples[Int.random(in: 0..<3, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[index], at: index)
                }
            }
            guard let date = HTTPDate(bytes.span, now: Self.leapDay) else { continue }
            #expect(HTTPDate(date.description, now: Self.leapDay) == date, "\(bytes), seed 5322")
        }
    }

    @Test func `moments are rounded down and bounded`() {
        #expect(HTTPDate(Date(timeIntervalSince1970: 1.9))?.secondsSince1970 == 1)
        #expect(HTTPDate(Date(timeIntervalSince1970: -0.1))?.secondsSince1970 == -1)
        #expect(HTTPDate(Date(timeIntervalSince1970: .infinity)) == nil)
        #expect(HTTPDate(Date(timeIntervalSince1970: .nan)) == nil)
        #expect(HTTPDate(Date(timeIntervalSince1970: 253_402_300_800)) == nil)
        #expect(HTTPDate(secondsSince1970: .min) == nil)
    }
}
