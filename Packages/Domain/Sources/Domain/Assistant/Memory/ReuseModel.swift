// SPDX-License-Identifier: MIT

public import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// The chance that a person asks a question again, learned from the times at which they asked it.
///
/// Times are in days; `now` is the end of the history, `start` its beginning.
///
/// - Frequency and recency: `w = Σ 2^(-(now - t) / 14)` over the times `t` of the question, and as much for a question at
///   every moment, `E = 14 / ln 2 · (1 - 2^(-(now - start) / 14))`. The rate is `r = w / (E + 10)` questions a day.
/// - Time of day: `h(i) = (24 · s(i) + 4) / (w + 4)` for each hour `i`, where `s(i)` is the part of `w` in that hour, a
///   half of it from the hours on both sides. Its mean over a day is 1.
/// - `P(from, until) = 1 - exp(-r · ∫ h)`, with the integral over the time asked about.
///
/// The half-life of 14 days and the 10 days of doubt were chosen on generated histories: of the questions with a chance
/// of about 0.75 within a week, seven of ten are asked again. Hours are those of the person's clock.
public struct ReuseModel: Sendable {
    private static let doubt = 10.0

    private let exposure: Double
    /// The hour of the person's day, 0 ..< 24.
    private let hour: Double
    private var habits: [String: DailyHabit] = [:]

    /// Learns from a history.
    ///
    /// - Parameters:
    ///   - asked: Questions by any name, with their times, in any order. Times after `now` are left out.
    ///   - now: The time from which the model looks back.
    ///   - secondsFromGMT: The person's offset from UTC at a time.
    public init(asked: [(question: String, time: Date)], now: Date, secondsFromGMT: (Date) -> Int) {
        self.hour = DailyHabit.hour(of: now, secondsFromGMT: secondsFromGMT(now))
        // In the order of time, so that the sums are the same however the history is ordered.
        let past = asked.filter { $0.time <= now }.sorted { $0.time < $1.time }
        let length = past.first.map { now.timeIntervalSince($0.time) / 86_400 } ?? 0
        exposure = DailyHabit.halfLife / M_LN2 * (1 - exp2(-length / DailyHabit.halfLife))
        for (question, time) in past {
            habits[question, default: DailyHabit()].add(
                DailyHabit.weight(of: time, at: now),
                at: DailyHabit.hour(of: time, secondsFromGMT: secondsFromGMT(time)))
        }
    }

    /// The chance that a question is asked within a time from the end of the history, from 0 to 1; 0 for one that the
    /// history does not have, and for no time.
    public func chance(of question: String, within seconds: TimeInterval) -> Double {
        guard let habit = habits[question], seconds > 0 else { return 0 }
        let rate = habit.sum / (exposure + Self.doubt)
        return 1 - exp(-rate * days(of: habit, within: min(seconds, 366 * 86_400) / 86_400))
    }

    /// The integral of the time of day over a time from now, in days.
    private func days(of habit: DailyHabit, within days: Double) -> Double {
        var (left, sum, hour) = (24 * days.truncatingRemainder(dividingBy: 1), days.rounded(.down), hour)
        while left > 0 {
            let (index, end) = (Int(hour) % 24, hour.rounded(.down) + 1)
            let part = min(left, end - hour)
            sum += part / 24 * habit.density(inHour: index)
            (left, hour) = (left - part, end.truncatingRemainder(dividingBy: 24))
        }
        return sum
    }
}
