// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import FoundationEssentials
import TestKit
import Testing

@Suite struct ContextualAssistantTests {
    /// A model whose answers last, and which notes what it gets.
    private struct Model: Assistant {
        let journal: Journal

        func answer(
            _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
        ) async throws -> AssistantAnswer {
            journal.note("\(question.context?.readings.count ?? 0) \(question.sharesContext)")
            return AssistantAnswer(text: "Bram Stoker.", source: .model("m"), lasts: true)
        }
    }

    private let journal = Journal()
    private let cache = InMemoryAnswerCache()

    private func ask(at minute: Int?, isShared: Bool = false) async throws -> AnswerSource {
        let remembering = RememberingAssistant(Model(journal: journal), cache: cache)
        let assistant = ContextualAssistant(remembering) {
            minute.map { .init(UserContext([.time(LocalTime(minute: $0, weekday: 1))]), isShared: isShared) }
        }
        return try await assistant.answer(AssistantQuestion("Who wrote Dracula?")) { _ in }.source
    }

    @Test func `a kept answer is used in a similar situation alone`() async throws {
        #expect(try await ask(at: 480) == .model("m"))
        #expect(try await ask(at: 540) == .cache)
        #expect(try await ask(at: 1_200) == .model("m"))
        // The new one is in the place of the old one.
        #expect(try await ask(at: 1_200) == .cache)
        #expect(try await ask(at: 480) == .model("m"))
    }

    @Test func `without an allowed part all is as before`() async throws {
        #expect(try await ask(at: nil) == .model("m"))
        #expect(try await ask(at: nil) == .cache)
        // An answer that was given without a situation depends on none.
        #expect(try await ask(at: 100) == .cache)
        #expect(journal.entries == ["0 false"])
    }

    @Test func `a model learns of the consent with each question`() async throws {
        _ = try await ask(at: 480, isShared: true)
        _ = try await ask(at: 1_200, isShared: false)
        #expect(journal.entries == ["1 true", "1 false"])
    }

    @Test func `a record of what was sent is no beginning of an answer`() async throws {
        let use = ToolUse(id: "1", name: UserContext.recordName, arguments: "{}")
        struct Away: Assistant {
            let use: ToolUse
            func answer(
                _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
            ) async throws -> AssistantAnswer {
                try await report(.toolCalled(use))
                try await report(.toolReturned(use, output: "x", isError: false, took: .zero))
                throw DomainError.offline("It is away.")
            }
        }
        let routed = RoutedAssistant(
            AssistantRouter([.model, .states]), parts: [.model: Away(use: use), .states: Model(journal: journal)])
        let answer = try await routed.answer(AssistantQuestion("Who wrote Dracula?")) { _ in }
        #expect(answer.text == "Bram Stoker.")
    }
}
