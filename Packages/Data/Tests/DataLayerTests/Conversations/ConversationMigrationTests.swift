// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import TestKit
import Testing

/// A history that the version before sources and growing answers wrote (three questions by `parley ask`).
@Suite struct ConversationMigrationTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("conversations.sqlite")
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(atPath: tests.path + "/Fixtures/conversations-1.sqlite", toPath: path)
    }

    @Test func `every message is kept, and new ones follow`() async throws {
        for isFirst in [true, false] {
            let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
            let messages = try await repository.recentMessages(limit: 99)
            #expect(messages.count == (isFirst ? 6 : 7))
            let known = messages.prefix(6)
            #expect(known.map(\.role) == [.user, .assistant, .user, .assistant, .user, .assistant])
            #expect(known.first?.text == "What is the capital of Texas?")
            #expect(known.last?.text == "The largest city of Ohio is Columbus.")
            #expect(known.last?.id.description == "1c8639ee-13bc-4939-b5be-89b216c4dcbe")
            #expect(known.last?.createdAt.timeIntervalSince1970 == 1_795_731_534.777)
            #expect(known.allSatisfy { $0.state == .whole && $0.source == nil && $0.usage == nil })
            let found = try await repository.search("columbus", limit: 9)
            #expect(Set(found) == Set(messages.dropFirst(5)))
            let page = try await repository.summaries(pinned: nil, after: nil, limit: 9)
            #expect(page.summaries.map(\.messageCount) == [isFirst ? 2 : 3, 2, 2])
            #expect(page.summaries.last?.firstQuestion == "What is the capital of Texas?")
            if isFirst {
                let newest = try #require(page.summaries.first)
                try await repository.append(
                    [
                        Message(
                            conversation: newest.id, turn: TurnID(), role: .tool, modality: .text, text: "Columbus",
                            createdAt: Date(timeIntervalSince1970: 1))
                    ], to: newest.conversation)
            }
            #expect(try await repository.findDamage().isEmpty)
            await repository.close()
        }
    }

    @Test func `a message whose conversation was lost gets one`() async throws {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.execute("DELETE FROM conversation")
            database.commit()
            """
        let result = try ChildProcess("/usr/bin/python3", ["-c", script, path], errors: .captured).finish()
        try #require(result.code == 0, "\(result.errors)")
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let page = try await repository.summaries(pinned: nil, after: nil, limit: 9)
        #expect(page.summaries.map(\.messageCount) == [2, 2, 2])
        #expect(page.summaries.last?.conversation.startedAt.timeIntervalSince1970 == 1_795_731_534.739)
        #expect(try await repository.findDamage().isEmpty)
    }
}
