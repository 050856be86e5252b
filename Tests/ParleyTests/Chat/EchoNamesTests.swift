// SPDX-License-Identifier: MIT

import Domain
import Echo
import FoundationEssentials
import Testing

/// A file that imports both: what has one name in both modules is written without a module's name on Echo's side.
@Suite("Echo's names beside Domain's")
struct EchoNamesTests {
    private let echoMessage: EchoMessage = EchoMessage(id: "1", role: .user, text: "Hi", createdAt: .distantPast)
    private let roles: [MessageRole] = MessageRole.allCases
    private let mode = EchoMode.text

    private func kept(_ message: EchoMessage, in conversation: Domain.Conversation) -> Domain.Message {
        Domain.Message(
            conversation: conversation.id, turn: TurnID(), role: message.role == .user ? .user : .assistant,
            modality: mode == .text ? .text : .voice, text: message.text, createdAt: message.createdAt)
    }

    @Test func `a message of Echo becomes one of Domain`() async throws {
        let conversation = Domain.Conversation(startedAt: .distantPast)
        #expect(kept(echoMessage, in: conversation).text == "Hi")
        #expect(roles.contains(.assistant))
        let start: @Sendable (Echo) async throws -> EchoConversation = { try await $0.startConversation(mode: .text) }
        let echo = Echo(key: "sk-test")
        let talk = try await start(echo)
        #expect(await talk.allMessages.isEmpty)
        await talk.close()
        await echo.close()
    }
}
