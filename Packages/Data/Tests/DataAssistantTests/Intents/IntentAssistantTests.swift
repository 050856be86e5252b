// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import Testing

@testable import DataAssistant

@Suite struct IntentAssistantTests {
    /// 2026-11-26 21:15:00 UTC, a Thursday.
    private static let now = Date(timeIntervalSince1970: 1_795_727_700)
    private static let assistant = IntentAssistant(zones: ScriptedTimeZones()) { now }

    private static func answer(_ text: String, after earlier: [Message] = []) async throws -> AssistantAnswer {
        try await assistant.answer(AssistantQuestion(text, earlier: earlier)) { _ in }
    }

    private static func message(_ role: Message.Role, _ text: String) -> Message {
        Message(conversation: .init(), turn: TurnID(), role: role, modality: .text, text: text, createdAt: now)
    }

    @Test(arguments: AssistantContract.checks)
    func `it keeps the contract`(_ check: ContractCheck<AssistantSubject>) async throws {
        try await check.run(
            AssistantSubject(
                assistant: Self.assistant, known: ["what time is it", "what is 2 plus 2", "what can you do"],
                refused: [
                    "What is the capital of Texas?", "set a timer for five minutes", "wake me at seven", "mute",
                    "louder", "speak slower", "how much time is left",
                ],
                failing: [
                    "generationFailed": {
                        IntentAssistant(
                            zones: SystemTimeZones(folder: "/nonexistent", localFile: "/dev/null", variable: "Nowhere"))
                    }
                ]))
    }

    @Test(arguments: [
        ("what time is it", "It is 10:15 PM."),
        ("what time is it in Tokyo", "It is 6:15 AM on Friday in Tokyo."),
        ("what's the time in new york right now?", "It is 4:15 PM in New York."),
        (
            "what time is it in Australia",
            """
            Australia has more than one time zone: it is 7:15 AM on Friday in Sydney and 5:15 AM on Friday in \
            Perth.
            """
        ),
        (
            "what time is it in nowhereville",
            "I do not know the time zone of Nowhereville. Ask for a large city near it, or for a country."
        ),
        ("what day is it", "Today is Thursday, November 26, 2026."),
        ("what's the date in Tokyo", "It is Friday, November 27, 2026 in Tokyo."),
        ("what day is tomorrow", "Tomorrow is Friday, November 27, 2026."),
        ("what day was yesterday", "Yesterday was Wednesday, November 25, 2026."),
        ("what date is in three weeks", "In 21 days it is Thursday, December 17, 2026."),
        ("what date was 3 days ago", "3 days ago it was Monday, November 23, 2026."),
        ("what date is next friday", "Friday of next week is December 4, 2026."),
        ("what date is this friday", "The coming Friday is November 27, 2026."),
        ("what date was last friday", "Last Friday was November 20, 2026."),
        ("what day is christmas", "December 25, 2026 is a Friday."),
        ("what day was july 4 1776", "July 4, 1776 was a Thursday."),
        ("how many days until christmas", "It is 29 days until Friday, December 25, 2026."),
        ("how many days until tomorrow", "It is one day until Friday, November 27, 2026."),
        ("what is 15 percent of 80", "That is 12."),
        ("what is 1 divided by 3", "That is about 0.3333."),
        ("what is 2 minus 7", "That is minus 5."),
        ("what is 1000 times 1000", "That is 1,000,000."),
        ("what is 0.1 plus 0.2", "That is 0.3."),
        ("what is 10 to the power of 15.5", "That is about 3.1623 times 10 to the power of 15."),
        ("what is 10 to the power of 30", "That is about 1 times 10 to the power of 30."),
        ("what is 5 divided by zero", "That has no result: a number cannot be divided by zero."),
        ("what is the square root of -4", "That has no result: a negative number has no real square root."),
        ("what is 10 to the power of 900", "That number is too large for me."),
        ("what is 2 to the power of 0.5", "That is about 1.4142."), ("what is 1 to the power of 5000", "That is 1."),
        ("how many feet in a mile", "1 mile is 5,280 feet."),
        ("convert 5 miles to kilometers", "5 miles are about 8.0467 kilometers."),
        ("convert 212 degrees fahrenheit to celsius", "212 degrees Fahrenheit are 100 degrees Celsius."),
        (
            "convert 3 miles to kilograms",
            "Miles cannot be converted to kilograms: one is a unit of length, the other of mass."
        ),
        (
            "convert \(String(repeating: "9", count: 308)) miles to inches", "That number is too large for me."
        ),
        ("how do you spell necessary", "Necessary is spelled N, E, C, E, S, S, A, R, Y."),
        ("what did I ask", "You have not asked anything before."),
        ("repeat that", "I have not said anything yet."),
    ])
    func `each question has its sentence`(_ question: String, _ expected: String) async throws {
        let answer = try await Self.answer(question)
        #expect(answer.text == expected)
        #expect(answer.confidence >= 0.9)
    }

    @Test(arguments: [
        (
            "what time is it in Texas",
            "Texas has more than one time zone: it is 3:15 PM in Houston and 2:15 PM in El Paso."
        ),
        ("what time is it in Germany", "It is 10:15 PM in Germany."), ("time in the uk", "It is 9:15 PM in the UK."),
        ("time in the netherlands", "It is 10:15 PM in the Netherlands."),
        ("what time is it in Russia", "Russia has 11 time zones. Ask for a city there."),
        (
            "what time is it in Washington",
            """
            Washington has more than one time zone: it is 4:15 PM in Washington DC and 1:15 PM in Washington State.
            """
        ),
        ("what time is it in austin, texas", "It is 3:15 PM in Austin, Texas."),
        ("what's the date in Beijing", "It is Friday, November 27, 2026 in Beijing."),
    ])
    func `places are those of the system's database`(_ question: String, _ expected: String) async throws {
        let assistant = IntentAssistant(zones: SystemTimeZones(variable: "Europe/Berlin")) { Self.now }
        #expect(try await assistant.answer(AssistantQuestion(question)) { _ in }.text == expected)
    }

    @Test(arguments: [
        "what is daylight saving time", "what is military time", "military time", "reaction time",
        "what time is sunset", "how long is it", "how do I write HTML", "how many miles in 10k",
    ])
    func `a question that only looks like an intent is another part's`(_ question: String) async throws {
        let alarms = AlarmClock(InMemoryAlarmSchedule(), arrange: { _ in .system })
        let assistant = IntentAssistant(zones: SystemTimeZones(variable: "Europe/Berlin"), alarms: alarms)
        await #expect(throws: DomainError.invalidQuery) {
            try await assistant.answer(AssistantQuestion(question)) { _ in }
        }
        #expect(await assistant.foresee(AssistantQuestion(question)) == nil)
    }

    @Test(arguments: ["Tokyo time", "what is Tokyo time", "what time is it Tokyo", "lisbon local time"])
    func `a known place needs no preposition`(_ question: String) async throws {
        let assistant = IntentAssistant(zones: SystemTimeZones(variable: "Europe/Berlin")) { Self.now }
        let text = try await assistant.answer(AssistantQuestion(question)) { _ in }.text
        #expect(text.hasPrefix("It is "), "\(text)")
    }

    @Test func `earlier turns are told again`() async throws {
        let earlier = [
            Self.message(.user, "What is the capital of Ohio?"), Self.message(.assistant, "Columbus."),
        ]
        let asked = try await Self.answer("what did I ask", after: earlier)
        #expect(asked.text == "You asked: What is the capital of Ohio?")
        let repeated = try await Self.answer("repeat that", after: earlier)
        #expect(repeated.text == "Columbus.")
        #expect(repeated.source == .intent("repeatAnswer"))
    }

    @Test func `help promises nothing that is not done`() async throws {
        let help = try await Self.answer("what can you do").text
        for word in ["timer", "alarm", "volume"] { #expect(!help.contains(word)) }
        let clock = AlarmClock(InMemoryAlarmSchedule(), arrange: { _ in .system })
        let more = IntentAssistant(zones: ScriptedTimeZones(), alarms: clock)
        #expect(try await more.answer(AssistantQuestion("what can you do")) { _ in }.text.contains("timers and alarms"))
    }

    @Test func `volume and speed are changed step by step`() async throws {
        let (volume, rate) = (ScriptedVolume(), ScriptedRate())
        let assistant = IntentAssistant(zones: ScriptedTimeZones(), volume: volume, rate: rate)
        for (question, expected) in [
            ("what is the volume", "The volume is 50 percent."), ("louder", "The volume is 60 percent."),
            ("turn the volume down by 25 percent", "The volume is 35 percent."), ("mute", "The sound is off."),
            ("what is the volume", "The sound is off."), ("unmute", "The volume is 35 percent."),
            ("mute", "The sound is off."), ("louder", "The volume is 45 percent."),
            ("set the volume to 100 percent", "The volume is 100 percent."), ("louder", "The volume is 100 percent."),
            ("speak slower", "I speak at 85 percent of my usual speed."),
            ("speak faster", "I speak at my usual speed."),
            ("stop", "Stopped."),
        ] {
            let answer = try await assistant.answer(AssistantQuestion(question)) { _ in }
            #expect(answer.text == expected, "\(question)")
        }
        _ = await rate.set(percent: 50)
        let answer = try await assistant.answer(AssistantQuestion("speak slower")) { _ in }
        #expect(answer.text == "I cannot speak any slower.")
        let help = try await assistant.answer(AssistantQuestion("what can you do")) { _ in }
        #expect(help.text.contains("volume"))
    }

    @Test(arguments: ["louder", "what is the volume", "mute", "speak slower"])
    func `without a loudspeaker its intents are refused`(_ question: String) async throws {
        await #expect(throws: DomainError.invalidQuery) { try await Self.answer(question) }
    }

    @Test(arguments: [
        (0.0, 0, "12:00 AM"), (43200, 0, "12:00 PM"), (-60, 0, "11:59 PM"), (0, -3600, "11:00 PM"),
        (86399.9, 0, "11:59 PM"), (0, 20700, "5:45 AM"),
    ])
    func `clocks have twelve hours`(_ time: Double, _ offset: Int, _ expected: String) {
        let zone = ZoneOffset(seconds: offset, isDaylightSaving: false, abbreviation: "X")
        let wall = WallTime(Date(timeIntervalSince1970: time), zone)
        #expect(IntentWords.time(wall) == "It is \(expected).")
    }

    @Test(arguments: [-1e300, .infinity, .nan, 1e18, -1e18])
    func `absurd clocks do not crash`(_ time: Double) {
        let zone = ZoneOffset(seconds: 3600, isDaylightSaving: false, abbreviation: "X")
        #expect(WallTime(Date(timeIntervalSince1970: time), zone).date == .epoch)
    }
}
