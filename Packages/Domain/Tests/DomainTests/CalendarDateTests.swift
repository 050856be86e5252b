// SPDX-License-Identifier: MIT

import Domain
import Testing

@Suite struct CalendarDateTests {
    @Test(arguments: [(1787, 12, 7), (2000, 2, 29), (1996, 2, 29), (1900, 2, 28), (1959, 1, 31), (1959, 4, 30)])
    func daysThatAre(_ year: Int, _ month: Int, _ day: Int) throws {
        let date = try #require(CalendarDate(year: year, month: month, day: day))
        #expect((date.year, date.month, date.day) == (year, month, day))
    }

    @Test(arguments: [
        (1900, 2, 29), (1959, 2, 29), (1959, 4, 31), (1959, 0, 1), (1959, 13, 1), (1959, 1, 0), (1959, 1, 32),
        (1959, -1, -1), (0, 0, 0), (Int.max, Int.max, Int.max), (Int.min, Int.min, Int.min),
    ])
    func daysThatAreNot(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }

    @Test func daysAreOrdered() throws {
        let days = try [(1787, 12, 7), (1787, 12, 12), (1788, 1, 2), (1788, 2, 1)].map {
            try #require(CalendarDate(year: $0.0, month: $0.1, day: $0.2))
        }
        #expect(days.reversed().sorted() == days)
        #expect(!(days[0] < days[0]))
    }

    @Test func daysAreWrittenAndSaid() throws {
        let day = try #require(CalendarDate(year: 1845, month: 12, day: 29))
        #expect(day.description == "1845-12-29")
        #expect(day.spoken == "December 29, 1845")
        #expect(try #require(CalendarDate(year: 1959, month: 1, day: 3)).description == "1959-01-03")
    }

    @Test func aDayIsFoundByItsNumber() throws {
        var before: CalendarDate?
        for number in stride(from: -719_528, through: 2_932_896, by: 97) {
            let day = try #require(CalendarDate(dayNumber: number), "\(number)")
            #expect(day.dayNumber == number)
            #expect(CalendarDate(day.description) == day, "\(day)")
            if let before { #expect(before < day) }
            before = day
        }
        #expect(CalendarDate(dayNumber: -719_528)?.description == "0000-01-01")
        #expect(CalendarDate(dayNumber: 2_932_896)?.description == "9999-12-31")
        #expect(CalendarDate(dayNumber: 11_016)?.description == "2000-02-29")
        #expect(CalendarDate(dayNumber: -719_529) == nil && CalendarDate(dayNumber: 2_932_897) == nil)
        #expect(CalendarDate(dayNumber: .max) == nil && CalendarDate(dayNumber: .min) == nil)
    }
}
