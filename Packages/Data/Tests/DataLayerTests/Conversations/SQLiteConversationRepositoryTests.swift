// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Synchronization
import Testing

@Suite struct SQLiteConversationRepositoryTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "parley-\(UUID())").path

    private func message(_ text: String, in conversation: Conversation) -> Message {
        Message(
            conversation: conversation.id, turn: TurnID(), role: .user, modality: .text, text: text,
            createdAt: Date(timeIntervalSince1970: 1))
    }

    @Test func whatOneProcessStoresAnotherOneReads() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/a/b/conversations.sqlite"
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        let one = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let other = try await SQLiteConversationRepository(path: path, damage: .refuse)
        try await one.append([message("first", in: conversation)], to: conversation)
        try await other.append([message("second", in: conversation)], to: conversation)
        #expect(try await one.recentMessages(limit: 9).map(\.text) == ["first", "second"])
        #expect(try await other.findDamage().isEmpty)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: ["not a database at all, but long enough to have a header \(String(repeating: "x", count: 4096))"])
    func aDamagedFileIsKeptAndReported(_ content: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/conversations.sqlite"
        try Data(content.utf8).write(to: URL(filePath: path))

        await #expect(throws: DomainError.self) {
            _ = try await SQLiteConversationRepository(path: path, damage: .refuse)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(content.utf8), "a refusal must not touch the file")

        let reports = Mutex<[String]>([])
        let repository = try await SQLiteConversationRepository(
            path: path, damage: .setAside { report in reports.withLock { $0.append(report) } })
        #expect(try await repository.recentMessages(limit: 1).isEmpty)
        let report = try #require(reports.withLock { $0.first })
        let kept = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.contains(".damaged-") })
        #expect(report.contains(kept))
        #expect(try Data(contentsOf: URL(filePath: folder + "/" + kept)) == Data(content.utf8))
    }
}
