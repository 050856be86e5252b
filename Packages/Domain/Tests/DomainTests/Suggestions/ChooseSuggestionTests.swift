// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import Testing

@Suite struct ChooseSuggestionTests {
    /// Tuesday, 2026-09-22, 08:00 UTC.
    private static let now = Date(timeIntervalSince1970: 1_790_064_000)
    private static let news = "What is the news?"
    private let choose = ChooseSuggestion { "id of \($0)" }

    /// A question at 08:05 on each working day of the last two weeks, and one at noon of each day.
    private static func history(_ days: ClosedRange<Int> = 1...14) -> [AskedQuestion] {
        days.flatMap { day -> [AskedQuestion] in
            let date = now.addingTimeInterval(-86_400 * Double(day))
            // 2026-09-19 was a Saturday.
            let isWeekend = [3, 2].contains(day % 7)
            let noon = AskedQuestion("What is for lunch?", kind: nil, askedAt: date.addingTimeInterval(4 * 3_600))
            return (isWeekend ? [] : [AskedQuestion(news, kind: nil, askedAt: date.addingTimeInterval(300))]) + [noon]
        }
    }

    private func suggested(
        _ history: [AskedQuestion] = Self.history(), hours: Double = 0, context: UserContext? = nil,
        secondsFromGMT: Int = 0, _ change: (inout SuggestionState) -> Void = { _ in }
    ) -> String? {
        var state = SuggestionState()
        state.settings.isOn = true
        change(&state)
        return choose(
            from: history, state, context: context, at: Self.now.addingTimeInterval(3_600 * hours),
            secondsFromGMT: { _ in secondsFromGMT })?.question
    }

    private static func shown(_ id: String, hoursAgo: Double) -> SuggestionState.Shown {
        .init(Suggestion(id: id, question: "x"), at: now.addingTimeInterval(-3_600 * hoursAgo))
    }

    @Test func `a habit is suggested at its time, on days like its own`() {
        #expect(suggested() == Self.news)
        #expect(suggested(hours: 0.5) == Self.news && suggested(hours: -0.4) == Self.news)
        #expect(suggested(hours: 0.7) == nil && suggested(hours: 2) == nil)
        #expect(suggested(hours: 4) == "What is for lunch?")
        // Saturday.
        #expect(suggested(hours: 4 * 24) == nil)
        #expect(suggested(secondsFromGMT: 7_200) == Self.news, "it is the same time of another clock")
    }

    @Test func `a habit keeps its time of day when the clocks change`() {
        // 8:00 by the clock on 20 weekdays, before the clocks are set forward: 7:00 UTC. Afterwards it is 6:00 UTC.
        let change = Self.now.addingTimeInterval(-12 * 3_600)
        let history = (1...28).compactMap { day -> AskedQuestion? in
            let isWeekend = [3, 2].contains(day % 7)
            let date = Self.now.addingTimeInterval(-86_400 * Double(day) - 3_600)
            return isWeekend ? nil : AskedQuestion(Self.news, kind: nil, askedAt: date)
        }
        #expect(history.count == 20)
        func suggested(hours: Double) -> String? {
            var state = SuggestionState()
            state.settings.isOn = true
            return choose(
                from: history, state, context: nil, at: Self.now.addingTimeInterval(3_600 * hours),
                secondsFromGMT: { $0 < change ? 3_600 : 7_200 })?.question
        }
        #expect(suggested(hours: -2) == Self.news)
        #expect(suggested(hours: -1) == nil)
    }

    @Test func `three days are no habit, and neither is a third of the days`() {
        #expect(suggested(Self.history(1...4)) == nil, "Friday and Monday")
        let seldom = Self.history(1...28).enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        #expect(suggested(seldom) == nil)
    }

    @Test func `what was just asked, was suggested today or is dismissed is not suggested`() {
        let words = "hey, what's the news"
        let asked = Self.history() + [AskedQuestion(words, kind: nil, askedAt: Self.now.addingTimeInterval(-600))]
        #expect(suggested(asked) == nil)
        let id = "id of what is the news"
        #expect(suggested { $0.shown = [Self.shown(id, hoursAgo: 3)] } == nil)
        #expect(suggested { $0.shown = [Self.shown(id, hoursAgo: 24)] } == Self.news)
        #expect(suggested { $0.dismissed = [id] } == nil)
    }

    @Test func `nothing is suggested that the person has not permitted`() {
        #expect(suggested { $0.settings.isOn = false } == nil)
        #expect(!SuggestionState().settings.isOn)
        #expect(suggested { ($0.settings.quietFrom, $0.settings.quietUntil) = (7 * 60, 9 * 60) } == nil)
        #expect(suggested { ($0.settings.quietFrom, $0.settings.quietUntil) = (22 * 60, 9 * 60) } == nil)
        #expect(suggested { ($0.settings.quietFrom, $0.settings.quietUntil) = (480, 480) } == Self.news)
        #expect(suggested { $0.shown = [Self.shown("b", hoursAgo: 0.9)] } == nil, "within the pause")
        let three = [2, 3, 4].map { Self.shown("\($0)", hoursAgo: $0) }
        #expect(suggested { $0.shown = three } == nil)
        #expect(suggested { ($0.shown, $0.settings.limit) = (three, 4) } == Self.news)
        #expect(suggested { $0.shown = [9, 10, 11].map { Self.shown("\($0)", hoursAgo: $0) } } == Self.news)
    }

    @Test func `the situation can forbid a moment`() {
        func with(_ reading: ContextReading) -> String? { suggested(context: UserContext([reading])) }
        #expect(with(.activity(.active)) == Self.news)
        #expect(with(.activity(.idle)) == nil && with(.activity(.away)) == nil)
        func event(in minutes: Int) -> ContextReading {
            .events(UpcomingEvents([.init(title: "x", startsIn: minutes)]))
        }
        #expect(with(event(in: 5)) == nil && with(event(in: 60)) == Self.news && with(event(in: 0)) == Self.news)
    }

    @Test func `the current one is of the last hour and not dismissed`() {
        var state = SuggestionState(shown: [Self.shown("a", hoursAgo: 0.5), Self.shown("b", hoursAgo: 0.2)])
        #expect(state.current(at: Self.now)?.suggestion.id == "b")
        state.dismissed = ["b"]
        #expect(state.current(at: Self.now)?.suggestion.id == "a")
        #expect(state.current(at: Self.now.addingTimeInterval(3_600)) == nil)
    }
}
