// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import DataAssistant

@Suite struct TimerIntentsTests {
    /// 2026-11-26 21:15:00 UTC, a Thursday; 22:15 by the clocks here.
    private static let now = Date(timeIntervalSince1970: 1_795_727_700)
    private let schedule = InMemoryAlarmSchedule()

    private func answer(
        _ text: String, ringer: AlarmRinger? = .listener, zones: any TimeZones = ScriptedTimeZones(),
        at now: Date = Self.now, after last: String? = nil
    ) async throws -> String {
        let earlier = last.map {
            Message(
                conversation: .init(), turn: TurnID(), role: .assistant, modality: .text, text: $0, createdAt: now)
        }
        let clock = AlarmClock(schedule, arrange: { _ in ringer }, now: { now })
        let assistant = IntentAssistant(zones: zones, alarms: clock) { now }
        return try await assistant.answer(AssistantQuestion(text, earlier: earlier.map { [$0] } ?? [])) { _ in }.text
    }

    private func set(_ texts: String...) async throws {
        for text in texts { #expect(try await answer(text).contains("is set for"), "\(text)") }
    }

    /// The moments of all alarms, in seconds from now.
    private func waits() async throws -> [Double] {
        try await schedule.alarms().map { $0.due.timeIntervalSince(Self.now) }
    }

    @Test(arguments: [
        "set a timer for five minutes", "wake me at seven", "cancel all timers", "stop", "what timers do i have",
        "mute", "louder", "speak slower",
    ])
    func `an intent with an effect is not foreseen`(_ text: String) async throws {
        let clock = AlarmClock(schedule, arrange: { _ in .listener }, now: { Self.now })
        let assistant = IntentAssistant(zones: ScriptedTimeZones(), alarms: clock) { Self.now }
        #expect(await assistant.foresee(AssistantQuestion(text)) == nil)
        #expect(try await waits().isEmpty)
        #expect(await assistant.foresee(AssistantQuestion("what is 2 plus 2"))?.text.isEmpty == false)
    }

    // MARK: Setting

    @Test(
        arguments: [
            ("set a timer for five minutes", "A timer is set for 5 minutes.", 300),
            ("start a 90 second timer", "A timer is set for 1 minute and 30 seconds.", 90),
            ("set a timer for half a second", "A timer is set for 0.5 seconds.", 0.5),
            ("set a pasta timer for 8 minutes", "A timer for pasta is set for 8 minutes.", 480),
            ("set a timer for 1 day 2 hours and 1 second", "A timer is set for 1 day, 2 hours and 1 second.", 93_601),
            ("remind me in 10 minutes to call home", "A timer for call home is set for 10 minutes.", 600),
            ("set a timer for 366 days", "A timer is set for 366 days.", 31_622_400),
        ] as [(String, String, Double)])
    func `a timer is due after its duration`(_ text: String, _ words: String, _ wait: Double) async throws {
        #expect(try await answer(text) == words)
        #expect(try await waits() == [wait])
    }

    @Test(
        arguments: [
            ("set an alarm for 11 pm", "The alarm is set for 11:00 PM.", 2700),
            ("set an alarm for 10:15 pm", "The alarm is set for 10:15 PM tomorrow.", 86_400),
            ("wake me at seven", "The alarm is set for 7:00 AM tomorrow.", 31_500),
            ("set an alarm for eleven", "The alarm is set for 11:00 PM.", 2700),
            ("set an alarm for tomorrow at five", "The alarm is set for 5:00 PM tomorrow.", 67_500),
            ("wake me at 6:30 on monday", "The alarm is set for 6:30 AM on Monday, November 30, 2026.", 288_900),
            ("set an alarm for midnight", "The alarm is set for 12:00 AM tomorrow.", 6300),
            ("set an alarm for 12:30 tonight", "The alarm is set for 12:30 AM tomorrow.", 8100),
        ] as [(String, String, Double)])
    func `an alarm is due at the time of the clocks here`(_ text: String, _ words: String, _ wait: Double) async throws
    {
        #expect(try await answer(text) == words)
        #expect(try await waits() == [wait])
    }

    @Test(arguments: [
        ("set a timer", "For how long?"), ("set an alarm", "For what time?"),
        ("set an alarm for yesterday at 5 pm", "is past"), ("set an alarm for today at 5 pm", "is past"),
        ("set an alarm for january 5 2031 at 9 am", "more than a year"),
    ])
    func `what is missing is asked for, and what cannot be is refused`(_ text: String, _ part: String) async throws {
        #expect(try await answer(text).contains(part))
        #expect(try await schedule.alarms().isEmpty)
    }

    @Test func `what nothing would ring is not promised`() async throws {
        let words = try await answer("set a timer for five minutes", ringer: nil)
        #expect(words.hasPrefix("Nothing is set, because nothing on this machine would ring"))
        #expect(try await schedule.alarms().isEmpty)
    }

    @Test func `what the system rings far away has its condition`() async throws {
        #expect(try await answer("set a timer for 3 hours", ringer: .system) == "A timer is set for 3 hours.")
        let words = try await answer("wake me at seven", ringer: .system)
        #expect(words == "The alarm is set for 7:00 AM tomorrow. It rings while you stay logged in.")
    }

    @Test func `a hundred are kept, and no more`() async throws {
        for number in 1...AlarmClock.limit {
            try await schedule.add(Alarm(kind: .alarm, due: Self.now.addingTimeInterval(Double(number))))
        }
        #expect(try await answer("set a timer for five minutes").hasPrefix("100 timers and alarms are set"))
    }

    @Test func `without an alarm clock they are another part's`() async throws {
        let assistant = IntentAssistant(zones: ScriptedTimeZones()) { Self.now }
        await #expect(throws: DomainError.invalidQuery) {
            try await assistant.answer(AssistantQuestion("set a timer for five minutes")) { _ in }
        }
    }

    // MARK: Asking and cancelling

    @Test func `the time left is told of one timer, of several, and of none`() async throws {
        #expect(try await answer("how much time is left") == "No timer is set.")
        try await set("set a timer for 10 minutes", "set a pasta timer for 8 minutes")
        #expect(try await schedule.alarms().count == 2)
        let later = Self.now.addingTimeInterval(61.5)
        #expect(
            try await answer("how much time is left", at: later)
                == "The pasta timer has 6 minutes and 59 seconds left. The 10 minute timer has 8 minutes and 59 seconds "
                + "left.")
        #expect(
            try await answer("how long does my pasta timer have", at: later)
                == "The pasta timer has 6 minutes and 59 seconds left.")
        let over = Self.now.addingTimeInterval(500)
        #expect(try await answer("how long does my pasta timer have", at: over) == "The pasta timer is over.")
    }

    @Test func `timers and alarms are listed apart`() async throws {
        try await set("set a timer for 10 minutes", "wake me at seven")
        #expect(try await answer("list my timers") == "The 10 minute timer has 10 minutes left.")
        #expect(try await answer("list my alarms") == "An alarm rings at 7:00 AM tomorrow.")
    }

    @Test func `of several timers one is asked for`() async throws {
        #expect(try await answer("cancel the timer") == "No timer is set.")
        try await set("set a timer for 10 minutes", "set a pasta timer for 8 minutes")
        _ = try await answer("set a tea timer for 8 minutes", at: Self.now.addingTimeInterval(1))
        #expect(
            try await answer("cancel the timer")
                == "Which one: the pasta timer, the tea timer or the 10 minute timer? Say, for example, "
                + "\"cancel the pasta timer\", or \"cancel all timers\".")
        #expect(
            try await answer("cancel the rice timer")
                == "There is no such timer, only the pasta timer, the tea timer and the 10 minute timer.")
        #expect(
            try await answer("cancel the 8 minute timer")
                == "Which one: the pasta timer or the tea timer? Say, for example, \"cancel the pasta timer\".")
        #expect(try await answer("cancel the pasta timer") == "The timer is cancelled.")
        #expect(try await answer("cancel the 10 minute timer") == "The timer is cancelled.")
        #expect(try await schedule.alarms().map(\.label) == ["tea"])
        #expect(try await answer("cancel all timers") == "The timer is cancelled.")
    }

    @Test func `stop silences what rings, and cancels nothing else`() async throws {
        try await set("set a timer for 10 minutes", "set a tea timer for 1 minute")
        let later = Self.now.addingTimeInterval(61)
        _ = try await schedule.claim(Set(schedule.alarms().prefix(1).map(\.id)), at: later)
        #expect(try await answer("stop", at: later) == "Stopped.")
        #expect(try await waits() == [600])
    }

    @Test func `alarms are chosen by time, day and label`() async throws {
        #expect(try await answer("cancel the alarm") == "No alarm is set.")
        try await set("wake me at 7 am", "set an alarm for 8 am", "set an alarm for monday at 7 am")
        #expect(
            try await answer("cancel the alarm")
                == "Which one: the alarm at 7:00 AM tomorrow, the alarm at 8:00 AM tomorrow or the alarm at 7:00 AM on "
                + "Monday, November 30, 2026? Say, for example, \"cancel the alarm at 7:00 AM tomorrow\", or "
                + "\"cancel all alarms\".")
        #expect(
            try await answer("cancel the 9 am alarm").hasPrefix("There is no such alarm, only the alarm at 7:00 AM"))
        #expect(try await answer("cancel the 8 am alarm") == "The alarm is cancelled.")
        #expect(try await answer("cancel my alarm on monday") == "The alarm is cancelled.")
        #expect(try await answer("cancel the alarm at seven") == "The alarm is cancelled.")
        #expect(try await schedule.alarms().isEmpty)
    }

    /// The names that a question offers.
    private func offered(_ question: String) throws -> [String] {
        let list = try #require(question.split(separator: "?").first).dropFirst(AlarmWords.whichOne.count)
        return list.replacing(" or the ", with: ", the ").replacing(", the ", with: "|the ").split(separator: "|")
            .map(String.init)
    }

    @Test(arguments: [
        ["set an alarm for 7 am tomorrow", "set an alarm for 8 am tomorrow"],
        ["set an alarm for 11 pm", "set an alarm for 11 pm tomorrow", "set an alarm for monday at 11 pm"],
        [
            "set an alarm for 7 am tomorrow for school", "set an alarm for 7 am tomorrow",
            "set an alarm for 7 am monday",
        ],
        ["set an alarm for 7 am tomorrow for school", "set an alarm for 8 am tomorrow for school"],
        ["remind me to take out the trash at 7 am", "remind me to feed the cat at 7 am", "set an alarm for 9 am"],
        ["set an alarm for 12:30 tonight", "set an alarm for 12:30 tomorrow night"],
    ])
    func `each alarm that is offered can be said, alone or to cancel it`(_ orders: [String]) async throws {
        for place in orders.indices {
            for isBare in [false, true] {
                try await schedule.remove(Set(schedule.alarms().map(\.id)))
                for order in orders { try await set(order) }
                let question = try await answer("cancel the alarm")
                let names = try offered(question)
                try #require(names.count == orders.count, "\(question)")
                let words = try await answer(isBare ? names[place] : "cancel \(names[place])", after: question)
                #expect(words == "The alarm is cancelled.", "\(names[place])")
                #expect(try await schedule.alarms().count == orders.count - 1)
            }
        }
    }

    @Test(arguments: [
        ["set a 50 minute timer", "set a 5 minute timer"],
        ["set a 50 minute timer", "set a pasta timer for 50 minutes"],
        ["set a tea timer for 4 minutes", "set a tea timer for 3 minutes", "set a tea timer for half a minute"],
        ["remind me in 20 minutes to take out the trash", "remind me in 20 minutes to feed the cat"],
        ["set a timer for 1 hour 5 minutes and 3 seconds", "set a timer for 0.5 seconds", "set a timer for 1 day"],
    ])
    func `each timer that is offered can be said, alone or to cancel it`(_ orders: [String]) async throws {
        for place in orders.indices {
            for isBare in [false, true] {
                try await schedule.remove(Set(schedule.alarms().map(\.id)))
                for order in orders { try await set(order) }
                let question = try await answer("cancel the timer")
                let names = try offered(question)
                try #require(names.count == orders.count, "\(question)")
                let words = try await answer(isBare ? names[place] : "cancel \(names[place])", after: question)
                #expect(words == "The timer is cancelled.", "\(names[place])")
                #expect(try await schedule.alarms().count == orders.count - 1)
            }
        }
    }

    @Test func `a label that cannot be said back is not offered`() async throws {
        for (seconds, label) in [(600, "why, when?"), (1200, "every timer")] {
            let due = Self.now.addingTimeInterval(Double(seconds))
            try await schedule.add(Alarm(kind: .timer(.seconds(seconds)), due: due, label: label))
            try await schedule.add(Alarm(kind: .alarm, due: due, label: label))
        }
        let timers = try await answer("cancel the timer")
        #expect(timers.hasPrefix("Which one: the 10 minute timer or the 20 minute timer?"))
        #expect(try await answer("the 20 minute timer", after: timers) == "The timer is cancelled.")
        let alarms = try await answer("cancel the alarm")
        #expect(alarms.hasPrefix("Which one: the alarm at 10:25 PM or the alarm at 10:35 PM?"))
        #expect(try await answer("the alarm at 10:35 PM", after: alarms) == "The alarm is cancelled.")
        #expect(try await waits() == [600, 600])
    }

    @Test func `a bare name sets nothing`() async throws {
        for text in ["the alarm at 8:00 AM tomorrow", "the 50 minute timer", "my 5 minute timer", "all of them"] {
            await #expect(throws: DomainError.invalidQuery, "\(text)") { try await answer(text) }
        }
        #expect(try await schedule.alarms().isEmpty)
    }

    @Test func `all of them are those of which the person was told`() async throws {
        await #expect(throws: DomainError.invalidQuery) { try await answer("delete all of them") }
        try await set("wake me at 7 am", "wake me at 8 am", "set a timer for 10 minutes")
        try await set("set a pasta timer for 8 minutes", "set a tea timer for 8 minutes")
        let which = try await answer("cancel the 8 minute timer")
        #expect(try await answer("all of them", after: which) == "2 timers are cancelled.")
        #expect(try await waits().count == 3)
        let list = try await answer("what alarms do i have")
        #expect(try await answer("cancel all of them", after: list) == "2 alarms are cancelled.")
        #expect(try await answer("cancel all of them", after: list) == "No alarm is set.")
        await #expect(throws: DomainError.invalidQuery, "something else was told of") {
            try await answer("cancel all of them", after: "There are two files.")
        }
        #expect(try await answer("cancel all of them") == "The timer is cancelled.")
        try await set("wake me at 7 am")
        #expect(try await answer("cancel both of them") == "The alarm is cancelled.")
    }

    @Test func `of equal timers the first is cancelled, of equal alarms all`() async throws {
        try await set("set a tea timer for 8 minutes")
        _ = try await answer("set a tea timer for 8 minutes", at: Self.now.addingTimeInterval(60))
        #expect(try await answer("cancel the tea timer") == "The first of 2 such timers is cancelled.")
        #expect(try await waits() == [540])
        try await set("wake me at 7 am", "wake me at 7 am")
        #expect(try await answer("cancel the alarm") == "2 alarms are cancelled.")
    }

    @Test func `what rings is meant before what waits`() async throws {
        func ring(_ isChosen: (Alarm) -> Bool, at now: Date = Self.now) async throws {
            _ = try await schedule.claim(Set(schedule.alarms().filter(isChosen).map(\.id)), at: now)
        }
        try await set("wake me at 7 am", "wake me at 8 am", "set a tea timer for 1 minute", "set a timer for 1 hour")
        try await ring { !$0.isTimer && $0.due < Self.now.addingTimeInterval(32_000) }
        #expect(try await answer("turn off the alarm") == "The alarm is cancelled.")
        #expect(try await waits() == [60, 3600, 35_100])
        try await ring { $0.label == "tea" }
        #expect(try await answer("turn off the alarm") == "The timer is cancelled.", "no alarm is cancelled for it")
        #expect(try await waits() == [3600, 35_100])
        try await ring { !$0.isTimer }
        #expect(try await answer("stop the timer") == "The alarm is cancelled.")
        try await set("wake me at 7 am")
        try await ring { _ in true }
        #expect(try await answer("turn off the alarm") == "2 timers and alarms are cancelled.")
        try await set("set a tea timer for 1 minute", "set a tea timer for 2 minutes")
        try await ring { $0.kind == .timer(.seconds(60)) }
        #expect(try await answer("cancel the tea timer") == "The timer is cancelled.")
        #expect(try await waits() == [120])
    }

    @Test func `all alarms go, and timers stay`() async throws {
        try await set("wake me at 7 am", "set an alarm for 8 am", "set a timer for 10 minutes")
        #expect(try await answer("cancel all alarms") == "2 alarms are cancelled.")
        #expect(try await waits() == [600])
    }

    // MARK: Clocks that are set

    @Test(arguments: [
        // 2027-03-28, 2:00 becomes 3:00 in Berlin.
        (
            "2027-03-27T20:00:00Z", "set an alarm for 2:30 am", "The alarm is set for 3:30 AM tomorrow.",
            "2027-03-28T01:30:00Z"
        ),
        (
            "2027-03-27T20:00:00Z", "set an alarm for 3 am", "The alarm is set for 3:00 AM tomorrow.",
            "2027-03-28T01:00:00Z"
        ),
        (
            "2027-03-27T20:00:00Z", "set an alarm for 7 am", "The alarm is set for 7:00 AM tomorrow.",
            "2027-03-28T05:00:00Z"
        ),
        // 2027-10-31, 3:00 becomes 2:00: 2:30 is first 0:30 UTC.
        (
            "2027-10-30T20:00:00Z", "set an alarm for 2:30 am", "The alarm is set for 2:30 AM tomorrow.",
            "2027-10-31T00:30:00Z"
        ),
        // 2:40 for the first time: 2:30 comes once more.
        ("2027-10-31T00:40:00Z", "set an alarm for 2:50 am", "The alarm is set for 2:50 AM.", "2027-10-31T00:50:00Z"),
        ("2027-10-31T01:10:00Z", "set an alarm for 2:30 am", "The alarm is set for 2:30 AM.", "2027-10-31T01:30:00Z"),
    ])
    func `an alarm is meant by the clock on the wall`(
        _ time: String, _ text: String, _ words: String, _ due: String
    ) async throws {
        let now = try Date(time, strategy: .iso8601)
        let zones = SystemTimeZones(variable: "Europe/Berlin")
        #expect(try await answer(text, zones: zones, at: now) == words)
        #expect(try await schedule.alarms().map(\.due) == [try Date(due, strategy: .iso8601)])
    }

    @Test(
        arguments: [
            (Alarm.Kind.timer(.seconds(60)), nil, "Timer", "1 minute is over."),
            (.timer(.seconds(61)), "tea", "Timer: tea", "1 minute and 1 second are over."),
            (.timer(.seconds(7200)), "<b>", "Timer: <b>", "2 hours are over."),
            (.alarm, "school", "Alarm: school", "It is 10:15 PM."),
        ] as [(Alarm.Kind, String?, String, String)])
    func `what rings says why`(_ kind: Alarm.Kind, _ label: String?, _ title: String, _ reason: String) async {
        let alarm = Alarm(kind: kind, due: Self.now, label: label)
        #expect(AlarmWords.title(alarm) == title)
        #expect(await AlarmWords.reason(alarm, zones: ScriptedTimeZones()) == reason)
    }
}
