// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import StateKnowledge
import Testing

/// Questions that leave out what the one before them was about.
@Suite struct TopicMemoryTests {
    private static let knowledge = StateKnowledgeBase()

    @Test(arguments: [
        (["capital of Ohio"], "And Texas?", "The capital of Texas is Austin."),
        (["capital of Ohio"], "what about texas", "The capital of Texas is Austin."),
        (["capital of Ohio"], "How about Maine?", "The capital of Maine is Augusta."),
        (["capital of Ohio", "and texas"], "and utah?", "The capital of Utah is Salt Lake City."),
        (["capital of Ohio"], "And its bird?", "The state bird of Ohio is the northern cardinal."),
        (["capital of Ohio"], "and the flower?", "The state flower of Ohio is the red carnation."),
        (["capital of Ohio", "tell me a joke"], "And Texas?", "The capital of Texas is Austin."),
    ])
    func theTopicStays(_ earlier: [String], _ question: String, _ answer: String) throws {
        #expect(try Self.knowledge.answer(question, after: earlier).text == answer)
    }

    @Test(arguments: ["capital of Texas", "state bird of Texas", "Texas"])
    func aWholeQuestionIsAnsweredByItself(_ question: String) throws {
        #expect(
            try Self.knowledge.answer(question, after: ["state flower of Ohio"]) == Self.knowledge.answer(question))
    }

    /// Questions that this machine answers by an intent are none about states, whatever was said before.
    @Test(arguments: [
        "repeat that", "say that again", "what did I ask", "what time is it in Ohio", "what is the date", "louder",
        "how do you spell Ohio", "set a timer for five minutes", "what is two plus two", "convert ten miles to km",
        "what can you do", "stop", "how many days until Christmas",
    ])
    func intentsAreLeftAlone(_ question: String) {
        #expect(throws: DomainError.invalidQuery) { try Self.knowledge.answer(question, after: []) }
        #expect(throws: DomainError.invalidQuery) {
            try Self.knowledge.answer(question, after: ["capital of Ohio"])
        }
    }

    @Test(arguments: ["And France?", "and the weather?", "what about tomorrow", "and its president?", "why", "and"])
    func theGuardrailStays(_ question: String) {
        #expect(throws: DomainError.invalidQuery) {
            try Self.knowledge.answer(question, after: ["capital of Ohio"])
        }
    }

    @Test func theConversationOfTheAssistantIsReadForIt() async throws {
        let conversation = Identifier<Conversation>()
        let earlier = Message(
            conversation: conversation, turn: TurnID(), role: .user, modality: .text, text: "capital of Ohio",
            createdAt: .now)
        let question = AssistantQuestion("And Texas?", conversation: conversation, earlier: [earlier])
        #expect(try await Self.knowledge.answer(question) { _ in }.text == "The capital of Texas is Austin.")
    }
}
