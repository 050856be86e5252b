// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Testing

@Suite struct AssistantRouterTests {
    private static let offline = DomainError.offline("no route")
    private static let noAnswer = DomainError.generationFailed("No state joined in 1900.")
    private static let local = AssistantRouter.localFirst(withModel: false)
    private static let all = AssistantRouter.localFirst(withModel: true)

    /// The complete table: which assistant answers, and what a refusal or a failure of those before it means.
    private static let table: [(router: AssistantRouter, failures: [DomainError], step: AssistantRouter.Step)] = [
        (local, [], .ask(.states)),
        (local, [.invalidQuery], .ask(.intents)),
        (local, [.invalidQuery, .invalidQuery], .end(.invalidQuery)),
        (local, [noAnswer], .ask(.intents)),
        (local, [noAnswer, .invalidQuery], .end(noAnswer)),
        (local, [.storage("full")], .end(.storage("full"))),
        // An intent that this is, and that cannot be carried out, is nobody else's.
        (all, [.invalidQuery, noAnswer], .end(noAnswer)),
        (all, [.invalidQuery, .device("no mixer")], .end(.device("no mixer"))),
        (all, [.invalidQuery, .invalidQuery], .ask(.model)),
        // A model may know what the table of states does not.
        (all, [noAnswer, .invalidQuery], .ask(.model)),
        (all, [noAnswer, .invalidQuery, offline], .end(noAnswer)),
        (all, [.invalidQuery, .invalidQuery, offline], .end(offline)),
        (all, [.invalidQuery, .invalidQuery, .invalidQuery], .end(.invalidQuery)),
        (.modelFirst, [], .ask(.model)),
        (.modelFirst, [offline], .ask(.states)),
        (.modelFirst, [.timedOut(.answer)], .ask(.states)),
        (.modelFirst, [.invalidQuery], .ask(.states)),
        (.modelFirst, [offline, .invalidQuery], .ask(.intents)),
        (.modelFirst, [offline, .invalidQuery, .invalidQuery], .end(offline)),
        (.modelFirst, [offline, noAnswer, .invalidQuery], .end(noAnswer)),
        (AssistantRouter([]), [], .end(.invalidQuery)),
    ]

    @Test(arguments: table.indices)
    func theStepAfterFailures(_ index: Int) {
        let (router, failures, step) = Self.table[index]
        #expect(router.step(after: failures) == step)
    }

    @Test func aPartIsAskedOnce() {
        #expect(AssistantRouter([.states, .model, .states]).order == [.states, .model])
    }

    @Test func aModelThatIsAwayIsWorthANoticeAndARefusalIsNot() {
        #expect(AssistantRouter.modelFirst.notice(after: [Self.offline]) == Self.offline)
        #expect(AssistantRouter.modelFirst.notice(after: [.invalidQuery]) == nil)
        #expect(Self.all.notice(after: [.invalidQuery, Self.noAnswer]) == nil)
    }

    // MARK: An assistant made of parts

    private func answer(
        _ router: AssistantRouter, _ parts: [AssistantPart: any Assistant]
    ) async throws -> (AssistantAnswer, [AnswerEvent]) {
        let events = Collected<AnswerEvent>()
        let assistant = RoutedAssistant(router, parts: parts)
        let answer = try await assistant.answer(AssistantQuestion("why")) { await events.add($0) }
        return (answer, await events.all)
    }

    @Test func theNextPartGetsWhatOneRefuses() async throws {
        let journal = Journal()
        let (answer, events) = try await answer(
            Self.all,
            [
                .intents: ScriptedAssistant(journal: journal, failure: DomainError.invalidQuery),
                .states: ScriptedAssistant(journal: journal, failure: DomainError.invalidQuery),
                .model: ScriptedAssistant(journal: journal, events: [.delta("Because.")]),
            ])
        #expect(answer.text == "Because.")
        #expect(events == [.delta("Because.")])
        #expect(journal.entries == ["asked why", "asked why", "asked why"])
    }

    @Test func aPartThatIsMissingIsLeftOut() async throws {
        let (answer, _) = try await answer(Self.all, [.states: ScriptedAssistant()])
        #expect(answer == ScriptedAssistant.answer)
    }

    @Test func whileTheModelIsAwayTheLocalAssistantAnswersAndSaysSoOnce() async throws {
        let (answer, events) = try await answer(
            .modelFirst, [.model: ScriptedAssistant(failure: Self.offline), .states: ScriptedAssistant()])
        #expect(answer == ScriptedAssistant.answer)
        #expect(events == [.unavailable(.model, Self.offline)])
    }

    @Test func aModelThatStaysAwayIsToldOnceAndItsReturnToo() async throws {
        let isAway = Switch()
        let model = ScriptedAssistant(events: [.delta("Because.")]) { _ in nil }
        let parts: [AssistantPart: any Assistant] = [
            .model: SwitchedAssistant(isAway: isAway, failure: Self.offline, next: model),
            .states: ScriptedAssistant { $0 == "why" ? DomainError.invalidQuery : nil },
        ]
        let assistant = RoutedAssistant(.modelFirst, parts: parts)
        func ask(_ question: String) async throws -> [AnswerEvent] {
            let events = Collected<AnswerEvent>()
            do {
                _ = try await assistant.answer(AssistantQuestion(question)) { await events.add($0) }
            } catch let error as DomainError where error == Self.offline {}
            return await events.all
        }
        let away = AnswerEvent.unavailable(.model, Self.offline)
        for _ in 0..<2 {
            await isAway.set(true)
            #expect(try await ask("Texas") == [away])
            #expect(try await ask("Texas") == [])
            #expect(try await ask("why") == [])
            #expect(try await ask("Texas") == [])
            await isAway.set(false)
            #expect(try await ask("why") == [.available(.model), .delta("Because.")])
            #expect(try await ask("why") == [.delta("Because.")])
        }
        // The error alone is no notice that this machine answers.
        await isAway.set(true)
        #expect(try await ask("why") == [])
        #expect(try await ask("Texas") == [away])
        await isAway.set(false)
        #expect(try await ask("why") == [.available(.model), .delta("Because.")])
    }

    @Test func toolServersThatStartAreNoBeginningOfAnAnswer() async throws {
        let model = ScriptedAssistant(events: [.starting(["calc"]), .starting([])], failure: Self.offline)
        let (answer, events) = try await answer(.modelFirst, [.model: model, .states: ScriptedAssistant()])
        #expect(answer == ScriptedAssistant.answer)
        #expect(events == [.starting(["calc"]), .starting([]), .unavailable(.model, Self.offline)])
    }

    @Test func withoutAnyAnswerTheErrorIsEnough() async throws {
        let events = Collected<AnswerEvent>()
        let parts: [AssistantPart: any Assistant] = [
            .model: ScriptedAssistant(failure: Self.offline),
            .states: ScriptedAssistant(failure: DomainError.invalidQuery),
        ]
        await #expect(throws: Self.offline) {
            _ = try await RoutedAssistant(.modelFirst, parts: parts).answer(AssistantQuestion("why")) {
                await events.add($0)
            }
        }
        #expect(await events.all.isEmpty)
    }

    @Test func `what is behind the model is not foreseen`() async {
        let journal = Journal()
        let parts: [AssistantPart: any Assistant] = [
            .states: ScriptedAssistant(journal: journal, foresees: true), .intents: ScriptedAssistant(),
            .model: ScriptedAssistant(),
        ]
        let question = AssistantQuestion("why")
        let kept: [AssistantPart: any Assistant] = [
            .states: ScriptedAssistant(), .model: ScriptedAssistant(foresees: true),
        ]
        #expect(await RoutedAssistant(.modelFirst, parts: kept).foresee(question) == ScriptedAssistant.answer)
        #expect(await RoutedAssistant(.modelFirst, parts: parts).foresee(question) == nil)
        #expect(await RoutedAssistant(AssistantRouter([.intents, .model]), parts: parts).foresee(question) == nil)
        #expect(journal.entries.isEmpty)
        let answer = await RoutedAssistant(.localFirst(withModel: true), parts: parts).foresee(question)
        #expect(answer == ScriptedAssistant.answer && journal.entries == ["foresees why"])
    }

    @Test func `a kept answer does not say that the model is back`() async throws {
        struct Kept: Assistant {
            func answer(
                _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
            ) async throws -> AssistantAnswer { AssistantAnswer(text: "Because.", source: .cache) }
        }
        let isAway = Switch()
        let assistant = RoutedAssistant(
            .modelFirst,
            parts: [
                .model: SwitchedAssistant(isAway: isAway, failure: Self.offline, next: Kept()),
                .states: ScriptedAssistant(),
            ])
        let events = Collected<AnswerEvent>()
        for isNow in [true, false] {
            await isAway.set(isNow)
            _ = try await assistant.answer(AssistantQuestion("why")) { await events.add($0) }
        }
        #expect(await events.all == [.unavailable(.model, Self.offline)])
    }

    @Test func afterTheFirstPieceNobodyElseIsAsked() async throws {
        let journal = Journal()
        let model = ScriptedAssistant(events: [.delta("Bec")], failure: Self.offline)
        await #expect(throws: Self.offline) {
            _ = try await answer(.modelFirst, [.model: model, .states: ScriptedAssistant(journal: journal)])
        }
        #expect(journal.entries.isEmpty)
    }
}

private actor Switch {
    private(set) var isOn = false
    func set(_ isOn: Bool) { self.isOn = isOn }
}

/// Fails while it is switched away.
private struct SwitchedAssistant: Assistant {
    let isAway: Switch
    let failure: DomainError
    let next: any Assistant

    func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        if await isAway.isOn { throw failure }
        return try await next.answer(question, report)
    }
}
