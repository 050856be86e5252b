// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

/// A conversation by voice, as it is stored.
@Suite struct RecordSpeechTests {
    private let repository = InMemoryConversationRepository()
    private let ongoing = OngoingConversation(Conversation(startedAt: Date(timeIntervalSince1970: 0)))

    private func usages() async -> [AnswerUsage?] {
        await repository.messages(in: ongoing.conversation.id).map(\.usage)
    }

    private func total(_ input: Int, _ output: Int, cost: Double? = 0) -> AnswerUsage {
        AnswerUsage(inputTokens: input, outputTokens: output, cost: cost)
    }

    @Test func `tokens belong to the answer of their turn, whichever is told first`() async throws {
        let record = RecordSpeech(ongoing, storingIn: repository)
        await record.count(from: total(1_000, 500, cost: 1))
        try await record.asked("one")
        try await record.answered("It is one.", isInterrupted: false, by: "m")
        try await record.spent(total(1_010, 505, cost: 1.25))
        try await record.asked("two")
        try await record.spent(total(1_020, 505, cost: 1.5))
        try await record.spent(total(1_025, 506, cost: nil))
        #expect(await usages() == [nil, total(10, 5, cost: 0.25), nil])
        try await record.answered("It is two.", isInterrupted: true, by: "m")
        #expect(await usages() == [nil, total(10, 5, cost: 0.25), nil, total(15, 1, cost: nil)])
        try await record.spent(total(1_025, 507, cost: nil))
        #expect(await usages().last == total(15, 2, cost: nil))
    }
}
