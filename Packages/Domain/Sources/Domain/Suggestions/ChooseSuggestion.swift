// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Chooses the question to suggest now, from the person's habits and their situation.
///
/// A question is one for now if it was asked on at least ``leastDays`` days, and on half of the days like today (Monday to
/// Friday, or the weekend) of the last ``days`` days, each time within ``window`` minutes of this time of day. It is not
/// suggested if it was asked within the last three hours, was suggested today, or is dismissed. Of several, the one
/// that is likeliest within the next hour is chosen (``ReuseModel``).
///
/// Nothing is suggested in quiet hours, beyond the limit of the day, within ``pause`` after another suggestion, while the
/// person is not active at the machine, or within ten minutes before an entry of their calendar, as far as they allow
/// these to be read.
public struct ChooseSuggestion: Sendable {
    /// The days that are looked back, without today.
    public static let days = 28
    /// The fewest days on which a question was asked at this time.
    public static let leastDays = 4
    /// The most minutes between a time of day and now.
    public static let window = 30
    /// The shortest time between two suggestions, in seconds.
    public static let pause: TimeInterval = 3_600
    private static let recent: TimeInterval = 3 * 3_600

    private let id: @Sendable (_ key: String) -> String

    /// - Parameter id: Makes the id of a suggestion from the words that tell its question from others.
    public init(id: @escaping @Sendable (_ key: String) -> String) { self.id = id }

    /// Chooses one; nil for none.
    ///
    /// - Parameters:
    ///   - history: The person's questions of the last weeks, in any order.
    ///   - context: The situation, as far as it may be read.
    ///   - secondsFromGMT: The person's offset from UTC at a time: a habit keeps its hour when the clocks change.
    public func callAsFunction(
        from history: [AskedQuestion], _ state: SuggestionState, context: UserContext?, at now: Date,
        secondsFromGMT: (Date) -> Int
    ) -> Suggestion? {
        guard isTime(state, at: now, secondsFromGMT: secondsFromGMT), context.map(Self.isGoodMoment) ?? true else {
            return nil
        }
        let today = LocalMoment(now, secondsFromGMT)
        let shownToday = Set(
            state.shown.filter { LocalMoment($0.shownAt, secondsFromGMT).day == today.day }.map(\.suggestion.id))
        let model = ReuseModel(
            asked: history.map { ($0.key, $0.askedAt) }, now: now, secondsFromGMT: secondsFromGMT)
        return habits(of: history, now, today, secondsFromGMT)
            .map { (suggestion: Suggestion(id: id($0.key), question: $0.value), key: $0.key) }
            .filter { !shownToday.contains($0.suggestion.id) && !state.dismissed.contains($0.suggestion.id) }
            .max {
                let (first, second) = (model.chance(of: $0.key, within: 3_600), model.chance(of: $1.key, within: 3_600))
                return (first, $1.key) < (second, $0.key)
            }?.suggestion
    }

    /// True if the person's choice permits a suggestion now, whatever their history has.
    public func isTime(_ state: SuggestionState, at now: Date, secondsFromGMT: (Date) -> Int) -> Bool {
        let today = LocalMoment(now, secondsFromGMT)
        let count = state.shown.count { LocalMoment($0.shownAt, secondsFromGMT).day == today.day }
        let isSoon = state.shown.contains { (0..<Self.pause).contains(now.timeIntervalSince($0.shownAt)) }
        return state.settings.isOn && !state.settings.isQuiet(at: today.minute) && count < state.settings.limit
            && !isSoon
    }

    /// The questions that are usually asked now and were not asked lately: the words by key.
    private func habits(
        of history: [AskedQuestion], _ now: Date, _ today: LocalMoment, _ secondsFromGMT: (Date) -> Int
    ) -> [String: String] {
        let past = history.filter { $0.askedAt <= now }.sorted { $0.askedAt < $1.askedAt }
        guard let first = past.first else { return [:] }
        let begin = max(today.day - Self.days, LocalMoment(first.askedAt, secondsFromGMT).day)
        let alike = (begin..<max(begin, today.day)).filter { LocalMoment.isWeekend($0) == today.isWeekend }
        var texts: [String: String] = [:]
        var days: [String: Set<Int>] = [:]
        var lately: Set<String> = []
        for asked in past {
            let (moment, key) = (LocalMoment(asked.askedAt, secondsFromGMT), asked.key)
            texts[key] = asked.text
            if now.timeIntervalSince(asked.askedAt) < Self.recent { lately.insert(key) }
            let distance = abs(moment.minute - today.minute)
            guard min(distance, 1_440 - distance) <= Self.window, moment.day >= begin, moment.day < today.day,
                moment.isWeekend == today.isWeekend
            else { continue }
            days[key, default: []].insert(moment.day)
        }
        return texts.filter { key, _ in
            let count = days[key]?.count ?? 0
            return count >= Self.leastDays && 2 * count >= alike.count && !lately.contains(key)
        }
    }

    /// False while the person is not at the machine, and shortly before an entry of their calendar.
    private static func isGoodMoment(_ context: UserContext) -> Bool {
        context.readings.allSatisfy { reading in
            switch reading {
            case .activity(let level): level == .active
            case .events(let upcoming): !upcoming.events.contains { (1...10).contains($0.startsIn) }
            default: true
            }
        }
    }
}

/// A moment on the person's calendar and clock.
private struct LocalMoment {
    /// Days since 1970-01-01.
    let day: Int
    /// Minutes since midnight.
    let minute: Int

    init(_ time: Date, _ secondsFromGMT: (Date) -> Int) {
        let seconds = time.timeIntervalSince1970 + Double(secondsFromGMT(time))
        day = Int((seconds / 86_400).rounded(.down))
        minute = min(1_439, Int((seconds - Double(day) * 86_400) / 60))
    }

    /// True for Saturday and Sunday. 1970-01-01 was a Thursday.
    static func isWeekend(_ day: Int) -> Bool { [2, 3].contains(((day % 7) + 7) % 7) }

    var isWeekend: Bool { Self.isWeekend(day) }
}
