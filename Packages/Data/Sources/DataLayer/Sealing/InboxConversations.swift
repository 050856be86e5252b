// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import Security

/// Conversations while the app lock is closed: appended messages wait in an inbox, and reading throws.
struct InboxConversations: ConversationRepository {
    private let inbox: SealedInbox
    private let unlocked: @Sendable () async throws -> any ConversationRepository

    /// - Parameter unlocked: Returns the conversations if the lock has been removed meanwhile.
    init(inbox: SealedInbox, unlocked: @escaping @Sendable () async throws -> any ConversationRepository) {
        (self.inbox, self.unlocked) = (inbox, unlocked)
    }

    func append(_ messages: [Message], to conversation: Conversation) async throws {
        let item = try JSONEncoder().encode(Item(messages, conversation))
        let isStored = try await domainErrors { try inbox.put(Array(item)) }
        if !isStored { try await unlocked().append(messages, to: conversation) }
    }

    func conversation(_ id: Identifier<Conversation>) async throws -> Conversation? {
        throw DomainError.unusable(.locked)
    }
    func messages(in id: Identifier<Conversation>) async throws -> [Message] { throw DomainError.unusable(.locked) }
    func recentMessages(limit: Int) async throws -> [Message] { throw DomainError.unusable(.locked) }
    func search(_ words: String, limit: Int) async throws -> [Message] { throw DomainError.unusable(.locked) }

    /// The messages in an item of the inbox.
    static func decode(_ item: [UInt8]) throws -> ([Message], Conversation) {
        let item = try JSONDecoder().decode(Item.self, from: Data(item))
        guard let id = Identifier<Conversation>(item.conversation) else { throw DomainError.unusable(.otherVersion) }
        let conversation = Conversation(id: id, startedAt: Date(timeIntervalSince1970: item.startedAt))
        let messages = try item.messages.map { line in
            guard let message = Identifier<Message>(line.id), let turn = TurnID(line.turn),
                let role = Message.Role(rawValue: line.role), let modality = Message.Modality(rawValue: line.modality)
            else { throw DomainError.unusable(.otherVersion) }
            return Message(
                id: message, conversation: id, turn: turn, role: role, modality: modality, text: line.text,
                createdAt: Date(timeIntervalSince1970: line.createdAt))
        }
        return (messages, conversation)
    }

    private struct Item: Codable {
        let conversation: String
        let startedAt: Double
        let messages: [Line]

        struct Line: Codable {
            let id, turn, role, modality, text: String
            let createdAt: Double
        }

        init(_ messages: [Message], _ conversation: Conversation) {
            self.conversation = conversation.id.description
            startedAt = conversation.startedAt.timeIntervalSince1970
            self.messages = messages.map {
                Line(
                    id: $0.id.description, turn: $0.turn.description, role: $0.role.rawValue,
                    modality: $0.modality.rawValue, text: $0.text, createdAt: $0.createdAt.timeIntervalSince1970)
            }
        }
    }
}
