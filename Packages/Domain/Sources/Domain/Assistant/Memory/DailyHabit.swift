// SPDX-License-Identifier: MIT

import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// The weights of the times at which a person did something, as a whole and by the hours of their day.
///
/// A time counts half for each ``halfLife`` that has passed since.
struct DailyHabit: Sendable {
    /// In days.
    static let halfLife = 14.0
    private static let evenness = 4.0

    /// The weight of all times.
    private(set) var sum = 0.0
    private var hours = [Double](repeating: 0, count: 24)

    /// The weight of a time, seen from `now`.
    static func weight(of time: Date, at now: Date) -> Double {
        exp2(time.timeIntervalSince(now) / 86_400 / halfLife)
    }

    /// The hour of a person's day, 0 ..< 24.
    static func hour(of time: Date, secondsFromGMT: Int) -> Double {
        let day = (time.timeIntervalSince1970 + Double(secondsFromGMT)) / 86_400
        return min((day - day.rounded(.down)) * 24, 24.0.nextDown)
    }

    mutating func add(_ weight: Double, at hour: Double) {
        sum += weight
        hours[Int(hour)] += weight
    }

    /// The likelihood in an hour of the day as a factor of the mean of the day: an hour gets a half of its weight and a
    /// quarter of those beside it, and little weight makes the day even.
    func density(inHour index: Int) -> Double {
        let around = hours[(index + 23) % 24] + hours[(index + 1) % 24]
        let share = hours[index] / 2 + around / 4
        return (24 * share + Self.evenness) / (sum + Self.evenness)
    }
}
