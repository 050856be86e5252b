// SPDX-License-Identifier: MIT

/// The progress of practice over time.
public struct PracticeProgress: Hashable, Sendable {
    /// One day with practice.
    public struct Day: Hashable, Sendable {
        /// The day.
        public let date: CalendarDate
        /// The number of results.
        public let count: Int
        /// The mean of ``Evaluation/accuracy`` over the results that have one, from 0 to 1; `nil` if there is none.
        public let accuracy: Double?

        /// A day.
        public init(date: CalendarDate, count: Int, accuracy: Double?) {
            self.date = date
            self.count = count
            self.accuracy = accuracy
        }
    }

    /// The days with practice, the earliest first.
    public let days: [Day]

    /// Progress over results, in any order.
    public init(of results: some Sequence<PracticeResult>) {
        var byDay: [CalendarDate: (count: Int, sum: Double, judged: Int)] = [:]
        for result in results {
            byDay[result.day, default: (0, 0, 0)].count += 1
            if let accuracy = result.evaluation?.accuracy {
                byDay[result.day, default: (0, 0, 0)].sum += accuracy
                byDay[result.day, default: (0, 0, 0)].judged += 1
            }
        }
        days = byDay.sorted { $0.key < $1.key }.map { day, sums in
            Day(date: day, count: sums.count, accuracy: sums.judged > 0 ? sums.sum / Double(sums.judged) : nil)
        }
    }

    /// The number of successive days with practice, up to today, or up to yesterday if today has no practice yet.
    public func currentStreak(on today: CalendarDate) -> Int {
        guard let last = days.last?.date.dayNumber, (0...1).contains(today.dayNumber - last) else { return 0 }
        return streaks.last ?? 0
    }

    /// The largest number of successive days with practice.
    public var longestStreak: Int { streaks.max() ?? 0 }

    private var streaks: [Int] {
        var streaks: [Int] = []
        var previous: Int?
        for day in days.map(\.date.dayNumber) {
            if let previous, day == previous + 1, let last = streaks.popLast() {
                streaks.append(last + 1)
            } else {
                streaks.append(1)
            }
            previous = day
        }
        return streaks
    }
}
