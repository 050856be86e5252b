// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation

/// Habits in a home: stored questions of the last weeks.
enum HabitFixture {
    /// Stores a question, with an answer of a model's, on each of the last 28 days at this time of day.
    static func ask(_ question: String, in parley: ParleyProcess) async throws {
        let folder = parley.path("home/data")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let store = try await SQLiteConversationRepository(
            path: folder + "/conversations.sqlite", damage: .refuse)
        for day in 1...28 {
            let conversation = Conversation(startedAt: Date(timeIntervalSinceNow: -86_400 * Double(day)))
            let turn = TurnID()
            func message(_ role: Message.Role, _ text: String, _ source: AnswerSource?) -> Message {
                Message(
                    conversation: conversation.id, turn: turn, role: role, modality: .text, text: text,
                    createdAt: conversation.startedAt, source: source)
            }
            try await store.append(
                [message(.user, question, nil), message(.assistant, "An answer.", .model("qwen"))], to: conversation)
        }
        await store.close()
    }
}
