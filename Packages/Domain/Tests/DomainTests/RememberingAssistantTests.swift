// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import TestKit
import Testing

@Suite struct RememberingAssistantTests {
    private let cache = InMemoryAnswerCache()
    private let journal = Journal()
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// A model that says of its answers whether they last.
    private struct Model: Assistant {
        let journal: Journal
        let lasts: Bool

        func answer(
            _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
        ) async throws -> AssistantAnswer {
            journal.note(question.text)
            try await report(.delta("Bram Stoker."))
            return AssistantAnswer(text: "Bram Stoker.", source: .model("m"), confidence: 0.8, lasts: lasts)
        }
    }

    private func assistant(lasts: Bool = true) -> RememberingAssistant {
        RememberingAssistant(Model(journal: journal, lasts: lasts), cache: cache) { Self.now }
    }

    private func ask(
        _ text: String, _ assistant: RememberingAssistant, after earlier: [Message] = []
    ) async throws -> (AssistantAnswer, [AnswerEvent]) {
        let events = Collected<AnswerEvent>()
        let answer = try await assistant.answer(AssistantQuestion(text, earlier: earlier)) { await events.add($0) }
        return (answer, await events.all)
    }

    private let earlier = [
        Message(
            conversation: .init(), turn: TurnID(), role: .user, modality: .text, text: "Let us play a game.",
            createdAt: Self.now)
    ]

    @Test func `a fact is asked once, and its answer is given with its time`() async throws {
        _ = try await ask("Who wrote Dracula?", assistant())
        let (answer, events) = try await ask("Hey, who wrote dracula", assistant(), after: earlier)
        #expect(answer.source == .cache && answer.text == "Bram Stoker." && answer.confidence == 0.8)
        #expect(answer.answeredAt == Self.now && events == [.notice(.kept(since: Self.now, by: "m"))])
        #expect(await assistant().foresee(AssistantQuestion("who wrote Dracula"))?.text == "Bram Stoker.")
        #expect(journal.entries == ["Who wrote Dracula?"])
    }

    @Test func `an answer that does not last is asked for again`() async throws {
        for _ in 0..<2 { _ = try await ask("Who wrote Dracula?", assistant(lasts: false)) }
        #expect(journal.entries.count == 2)
    }

    @Test(arguments: ["What time is it in Lima?", "What did you mean?", "Tell me a joke"])
    func `what is no question for a fact is asked each time`(text: String) async throws {
        for _ in 0..<2 { _ = try await ask(text, assistant()) }
        #expect(journal.entries.count == 2)
        #expect(await assistant().foresee(AssistantQuestion(text)) == nil)
    }

    @Test func `an answer in a conversation is not kept`() async throws {
        for _ in 0..<2 { _ = try await ask("Who wrote Dracula?", assistant(), after: earlier) }
        #expect(journal.entries.count == 2)
    }
}
