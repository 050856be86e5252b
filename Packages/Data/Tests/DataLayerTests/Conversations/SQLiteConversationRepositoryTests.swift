// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Synchronization
import TestKit
import Testing

@Suite struct SQLiteConversationRepositoryTests {
    private let parent: TemporaryFolder
    private var folder: String { parent.path }

    init() throws { parent = try TemporaryFolder() }

    private func message(_ text: String, in conversation: Conversation) -> Message {
        Message(
            conversation: conversation.id, turn: TurnID(), role: .assistant, modality: .text, text: text,
            createdAt: Date(timeIntervalSince1970: 1), state: .interrupted(heard: 3), source: .model("large"),
            device: "laptop", usage: AnswerUsage(inputTokens: 1, outputTokens: 2, cost: 0.5))
    }

    @Test func whatOneProcessStoresAnotherOneReads() async throws {
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
        let path = folder + "/conversations.sqlite"
        try Data(content.utf8).write(to: URL(filePath: path))

        await #expect(throws: DomainError.self) {
            _ = try await SQLiteConversationRepository(path: path, damage: .refuse)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(content.utf8), "a refusal must not touch the file")

        let reports = Mutex<[SalvagedFile]>([])
        let repository = try await SQLiteConversationRepository(
            path: path, damage: .salvage { report in reports.withLock { $0.append(report) } })
        #expect(try await repository.recentMessages(limit: 1).isEmpty)
        let report = try #require(reports.withLock { $0.first })
        let kept = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.contains(".damaged-") })
        #expect(report.setAside == folder + "/" + kept)
        #expect(try Data(contentsOf: URL(filePath: folder + "/" + kept)) == Data(content.utf8))
    }

    /// A history of 400 messages, in which some bytes are overwritten.
    private func damagedHistory(_ ranges: (_ size: UInt64) -> [Range<UInt64>]) async throws -> (String, [String]) {
        let path = folder + "/conversations.sqlite"
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        let texts = (0..<400).map { "message number \($0) " + String(repeating: "word ", count: 30) }
        do {
            let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
            try await repository.append(texts.map { message($0, in: conversation) }, to: conversation)
        }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        for range in ranges(try file.seekToEnd()) {
            try file.seek(toOffset: range.lowerBound)
            try file.write(contentsOf: Data(repeating: 0xA5, count: range.count))
        }
        try file.close()
        return (path, texts)
    }

    @Test func whatCanBeReadOfADamagedFileIsSaved() async throws {
        let (path, texts) = try await damagedHistory { size in
            (3...7).map { size / 4096 * $0 / 10 * 4096 }.map { $0..<$0 + 4096 }
        }
        let salvaged = try #require(try await SQLiteConversationRepository.repair(path: path))
        #expect(salvaged.saved.map(\.kind) == [.messages] && salvaged.saved.first?.isComplete == false)
        #expect(salvaged.setAside.contains(".damaged-"))

        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let saved = try await repository.recentMessages(limit: 1_000).map(\.text)
        #expect(saved.count > 200 && saved.count < 400 && salvaged.saved.first?.count == saved.count)
        #expect(Set(saved).isSubset(of: texts))
        let kept = try #require(try await repository.recentMessages(limit: 1).first)
        #expect(kept.state == .interrupted(heard: 3) && kept.source == .model("large") && kept.device == "laptop")
        #expect(kept.usage == AnswerUsage(inputTokens: 1, outputTokens: 2, cost: 0.5))
        #expect(
            try await repository.summaries(pinned: nil, after: nil, limit: 9).summaries.map(\.messageCount) == [
                saved.count
            ])
        #expect(try await repository.search("number 399", limit: 2).map(\.text) == saved.suffix(1))
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        try await repository.append([message("one more zebra", in: conversation)], to: conversation)
        #expect(try await repository.search("zebra", limit: 2).map(\.text) == ["one more zebra"])
        #expect(try await SQLiteConversationRepository.repair(path: path) == nil, "it is sound now")
    }

    @Test func `without its list of migrations a file keeps every message`() async throws {
        let (path, texts) = try await damagedHistory { _ in [4096..<8192] }
        let salvaged = try #require(try await SQLiteConversationRepository.repair(path: path))
        #expect(salvaged.saved == [.init(.messages, count: texts.count, isComplete: true)])
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        #expect(try await repository.recentMessages(limit: 1_000).map(\.text) == texts)
        #expect(try await SQLiteConversationRepository.repair(path: path) == nil)
    }

    @Test func aFileWithoutItsFirstPageIsKeptToo() async throws {
        let (path, _) = try await damagedHistory { _ in [0..<4096] }
        let salvaged = try #require(try await SQLiteConversationRepository.repair(path: path))
        #expect(salvaged.saved.first?.count == 0)
        #expect(try await SQLiteConversationRepository.repair(path: path) == nil)
    }

    @Test func `two repositories on one file keep every growing answer`() async throws {
        let path = folder + "/conversations.sqlite"
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        let repositories = [
            try await SQLiteConversationRepository(path: path, damage: .refuse),
            try await SQLiteConversationRepository(path: path, damage: .refuse),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                var answer = message("answer \(number)", in: conversation)
                answer.state = .partial
                let (first, repository, other) = (answer, repositories[number % 2], repositories[(number + 1) % 2])
                group.addTask {
                    var answer = first
                    for part in 0..<10 {
                        // The second repository continues what the first one began.
                        try await (part % 2 == 0 ? repository : other).save(answer, in: conversation)
                        answer.text += " word\(part)"
                    }
                    answer.state = .whole
                    try await repository.save(answer, in: conversation)
                }
            }
            try await group.waitForAll()
        }
        let stored = try await repositories[0].messages(in: conversation.id)
        #expect(stored.count == 8 && stored.allSatisfy { $0.state == .whole && $0.text.hasSuffix("word8 word9") })
        #expect(try await repositories[1].search("word9", limit: 99).count == 8)
        #expect(try await repositories[1].findDamage().isEmpty)
    }
}
