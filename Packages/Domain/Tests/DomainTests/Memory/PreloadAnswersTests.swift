// SPDX-License-Identifier: MIT

import DomainTestSupport
import FoundationEssentials
import Synchronization
import TestKit
import Testing

@testable import Domain

@Suite(.timeLimit(.minutes(5))) struct PreloadAnswersTests {
    private static let now = Date(timeIntervalSince1970: 1_789_977_600)

    /// A model that notes what it is asked.
    private struct Model: Assistant {
        let journal: Journal
        var lasts = true

        func answer(
            _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
        ) async throws -> AssistantAnswer {
            journal.note("model \(question.text)")
            return AssistantAnswer(text: "An answer.", source: .model("m"), lasts: lasts)
        }
    }

    private let journal = Journal()
    private let clock = ManualClock()

    private func preload(
        _ questions: [String], foresees: Bool = false, model: (any Assistant)? = nil,
        battery: DeviceInfo.Battery? = nil, now: @escaping @Sendable () -> Date = { Self.now }
    ) -> PreloadAnswers {
        let journal = journal
        // One of them was asked at this time of each day.
        let messages = (1...30).map { day in
            Message(
                conversation: .init(), turn: TurnID(), role: .user, modality: .voice,
                text: questions[day % questions.count],
                createdAt: Self.now.addingTimeInterval(-86_400 * Double(day)))
        }
        return PreloadAnswers(
            history: {
                journal.note("reads")
                return messages
            },
            answerQuestion: AnswerQuestion(
                assistant: ScriptedAssistant(journal: journal, foresees: foresees),
                conversations: InMemoryConversationRepository(), wording: \.code, clock: ManualClock()),
            speaker: ScriptedSpeaker(journal: journal), model: model, battery: { battery }, secondsFromGMT: { _ in 0 },
            report: { journal.note("prepared \($0.sorted().joined(separator: " | "))") }, clock: clock, now: now)
    }

    @Test func `nothing is prepared in the first seconds, then once, then after half an hour`() async throws {
        let preload = preload(["what time is it"], foresees: true)
        await preload.begin()
        await clock.waitForSleeper(of: .seconds(10))
        clock.advance(by: .seconds(9))
        await clock.waitForSleeper(of: .seconds(1))
        #expect(journal.entries.isEmpty)
        clock.advance(by: .seconds(1))
        await clock.waitForSleeper(of: .seconds(1_800))
        #expect(
            journal.entries == [
                "reads", "foresees what time is it", "preloads \(ScriptedAssistant.answer.text)",
                "prepared what time is it",
            ])
        await preload.stop()
        try await eventually { clock.remaining.isEmpty }
    }

    @Test func `beginning again starts the quiet time anew`() async throws {
        let preload = preload(["what time is it"], foresees: true)
        await preload.begin()
        await clock.waitForSleeper(of: .seconds(10))
        clock.advance(by: .seconds(8))
        await preload.begin()
        await clock.waitForSleeper(of: .seconds(10))
        try await eventually { clock.remaining == [.seconds(10)] }
        #expect(journal.entries.isEmpty)
        await preload.stop()
    }

    @Test(
        arguments: [
            (nil, true), (.init(level: 0.05, state: .charging), true), (.init(level: 0.2, state: .discharging), true),
            (.init(level: 0.19, state: .discharging), false), (.init(level: 0.05, state: .unknown), true),
            (.init(level: 0, state: .empty), false),
        ] as [(DeviceInfo.Battery?, Bool)])
    func `a low battery prepares nothing`(battery: DeviceInfo.Battery?, permits: Bool) async {
        #expect(PreloadAnswers.permits(battery) == permits)
        await preload(["what time is it"], foresees: true, battery: battery).prepare(in: nil)
        #expect(journal.entries.isEmpty != permits)
    }

    @Test func `without a model nobody is asked anything`() async {
        await preload(["who wrote Dracula", "turn on the light"]).prepare(in: nil)
        #expect(journal.entries == ["reads", "preloads ", "prepared "])
    }

    @Test func `a model gets questions for facts alone, each once a day`() async {
        let time = Mutex(Self.now)
        let preload = preload(
            ["who wrote Dracula", "turn on the light", "play some music"], model: Model(journal: journal),
            now: { time.withLock { $0 } })
        await preload.prepare(in: nil)
        #expect(
            journal.entries.filter { $0.hasPrefix("model") || $0.hasPrefix("asked") } == ["model who wrote Dracula"])
        #expect(journal.entries.suffix(2) == ["preloads An answer.", "prepared who wrote Dracula"])
        await preload.prepare(in: nil)
        #expect(journal.entries.count { $0.hasPrefix("model") } == 1)
        time.withLock { $0 += 86_401 }
        await preload.prepare(in: nil)
        #expect(journal.entries.count { $0.hasPrefix("model") } == 2, "\(journal.entries)")
    }

    @Test func `an answer that does not last is not made into sound`() async {
        await preload(["who wrote Dracula"], model: Model(journal: journal, lasts: false)).prepare(in: nil)
        #expect(journal.entries == ["reads", "model who wrote Dracula", "preloads ", "prepared "])
    }

    @Test func `what is known for nothing goes to no model`() async {
        await preload(["who wrote Dracula"], foresees: true, model: Model(journal: journal)).prepare(in: nil)
        #expect(!journal.entries.contains { $0.hasPrefix("model") } && journal.position("preloads") != nil)
    }
}
