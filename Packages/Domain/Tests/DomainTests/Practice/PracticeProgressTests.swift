// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Testing

@Suite struct PracticeProgressTests {
    private func progress(_ days: [String]) throws -> PracticeProgress {
        PracticeProgress(of: try days.map { try PracticeSamples.result(day: $0) })
    }

    @Test func daysInARowCount() throws {
        let today = try #require(CalendarDate("2024-03-01"))
        #expect(try progress([]).currentStreak(on: today) == 0)
        #expect(try progress(["2024-03-01"]).currentStreak(on: today) == 1)
        #expect(try progress(["2024-02-29", "2024-03-01", "2024-02-28", "2024-02-28"]).currentStreak(on: today) == 3)
        #expect(try progress(["2024-02-28", "2024-02-29"]).currentStreak(on: today) == 2, "today is still to come")
        #expect(try progress(["2024-02-27", "2024-02-28"]).currentStreak(on: today) == 0)
        #expect(try progress(["2024-03-02"]).currentStreak(on: today) == 0, "a day that has not been")
        let rows = try progress(["2023-12-30", "2023-12-31", "2024-01-01", "2024-01-03"])
        #expect(rows.longestStreak == 3)
        #expect(try progress([]).longestStreak == 0)
    }

    @Test func aDayHasItsCountAndMeanAccuracy() throws {
        let results = [
            try PracticeSamples.result(day: "2024-01-02", evaluation: PracticeSamples.evaluation(right: 4, missed: 1)),
            try PracticeSamples.result(day: "2024-01-02", evaluation: PracticeSamples.evaluation(right: 1, missed: 0)),
            try PracticeSamples.result(day: "2024-01-02"), try PracticeSamples.result(day: "2024-01-01"),
        ]
        let days = PracticeProgress(of: results).days
        #expect(days.map(\.date.description) == ["2024-01-01", "2024-01-02"])
        #expect(days.map(\.count) == [1, 3])
        // (4 right − 1 inserted) of 5, and (1 − 1) of 1.
        #expect(days.map(\.accuracy) == [nil, 0.3])
    }

    @Test func dayNumbersFollowOneAnother() throws {
        #expect(try #require(CalendarDate("1970-01-01")).dayNumber == 0)
        #expect(try #require(CalendarDate("2000-03-01")).dayNumber == 11_017)
        #expect(try #require(CalendarDate("1600-02-29")).dayNumber == -135_081)
        var previous = try #require(CalendarDate("1899-12-31")).dayNumber
        for year in 1900...2101 {
            for month in 1...12 {
                for day in 1...31 {
                    guard let date = CalendarDate(year: year, month: month, day: day) else { continue }
                    #expect(date.dayNumber == previous + 1)
                    previous = date.dayNumber
                }
            }
        }
    }

    @Test func onlyTheISOFormIsADate() {
        #expect(CalendarDate("2024-02-29")?.description == "2024-02-29")
        for text in [
            "2023-02-29", "2024-2-29", "20240229", "2024-02-29 ", "+024-02-29", "2024-02-+9", "٢٠٢٤-02-29", "", "--",
        ] {
            #expect(CalendarDate(text) == nil, "\(text)")
        }
    }
}
