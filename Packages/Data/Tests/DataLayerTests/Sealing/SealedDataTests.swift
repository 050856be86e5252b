// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import Foundation
import Persistence
import Security
import TestKit
import Testing

@testable import DataLayer

@Suite(.timeLimit(.minutes(5))) struct SealedDataTests {
    private static let words = "the planted sentence"
    private let parent: TemporaryFolder
    private var folder: String { parent.path }
    private let passphrase = Sensitive(utf8: "open sesame")
    private let reports = Reports()
    private let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 7))

    /// Sentences about files that stay as they are.
    private final class Reports: Sendable {
        private let sentences = Guarded<[String]>([])
        var all: [String] { sentences.withLock { $0 } }
        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
    }

    private var history: String { folder + "/conversations.sqlite" }
    private var practice: String { folder + "/practice.sqlite" }
    private var lines: String { folder + "/lines" }

    init() throws {
        parent = try TemporaryFolder()
    }

    /// One program's view of the files: a lock of its own.
    private func program() throws -> (data: SealedData, lock: AppLock) {
        let lock = AppLock(path: folder + "/app-lock", parameters: try ScryptParameters(costExponent: 14))
        let (reports, lines) = (reports, lines)
        let data = SealedData(
            folder: folder,
            files: .init(conversations: history, databases: [practice]) { change in
                guard let text = try? Data(contentsOf: URL(filePath: lines)) else { return }
                let changed: [UInt8] = try text.split(separator: 10).flatMap { try change(Array($0)) + [10] }
                try Data(changed).write(to: URL(filePath: lines))
            },
            lock: lock, report: { reports.add($0) })
        return (data, lock)
    }

    private func message(_ text: String) -> Message {
        Message(
            conversation: conversation.id, turn: TurnID(), role: .user, modality: .voice, text: text,
            createdAt: Date(timeIntervalSince1970: 1.25))
    }

    private func append(_ text: String, to repository: any ConversationRepository) async throws {
        try await repository.append([message(text)], to: conversation)
    }

    /// The files with the planted words; FTS5 keeps words apart.
    private func leaks() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { name in
            let bytes = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
            return ["planted", "sentence", "CREATE TABLE"].contains { bytes.range(of: Data($0.utf8)) != nil }
        }
    }

    /// A history, practice, lines and a file that was set aside, all plain; then the lock is set, in a program that ends.
    private func plant() async throws {
        let data = try program().data
        let repository = try await data.conversations(damage: .refuse)
        try await append(Self.words, to: repository)
        await repository.close()
        await (try PracticeDatabase(path: practice)).close()
        try Data("\"\(Self.words)\"\n\"second\"\n".utf8).write(to: URL(filePath: lines))
        try Data((Self.words + String(repeating: "x", count: 200_000)).utf8)
            .write(to: URL(filePath: history + ".damaged-1"))
    }

    private func lock() async throws {
        let (data, lock) = try program()
        try await lock.enable(passphrase: passphrase)
        try await data.seal()
    }

    private func opened() async throws -> (data: SealedData, lock: AppLock) {
        let (data, lock) = try program()
        try await lock.unlock(passphrase: passphrase, for: try await data.lockedHeader())
        return (data, lock)
    }

    private func texts(_ data: SealedData) async throws -> [String] {
        let repository = try await data.conversations(damage: .refuse)
        let texts = try await repository.recentMessages(limit: 1_000).map(\.text)
        await repository.close()
        return texts
    }

    @Test func `with the lock set no file has a planted word, and without it all is as before`() async throws {
        try await plant()
        let before = try leaks()
        #expect(before.count == 4, "the search can fail: \(before)")
        let plainLines = try Data(contentsOf: URL(filePath: lines))
        try await lock()
        #expect(try leaks() == [] && reports.all == [])

        // A closed lock: programs append and cannot read.
        let closed = try program().data
        #expect(try await closed.isLocked())
        await #expect(throws: SecurityError.self) { _ = try await closed.conversations(damage: .refuse) }
        let adding = try await closed.openForAppending(damage: .refuse)
        for number in 0..<5 { try await append("\(Self.words) \(number)", to: adding) }
        await #expect(throws: DomainError.self) { _ = try await adding.recentMessages(limit: 1) }
        #expect(try leaks() == [])

        // The next one with the passphrase finds them, in their order and once.
        let all = [Self.words] + (0..<5).map { "\(Self.words) \($0)" }
        let reading = try await opened().data
        #expect(try await texts(reading) == all)
        #expect(try await texts(reading) == all)
        let repository = try await reading.conversations(damage: .refuse)
        #expect(try await repository.search("planted 3", limit: 9).map(\.text) == ["\(Self.words) 3"])
        let stored = try #require(try await repository.messages(in: conversation.id).last)
        #expect(stored.modality == .voice && stored.createdAt == Date(timeIntervalSince1970: 1.25))
        #expect(try await repository.conversation(conversation.id)?.startedAt == conversation.startedAt)
        try await append("more \(Self.words)", to: repository)
        #expect(try leaks() == [], "nor does the log of an open database")
        await repository.close()
        let practised = try await PracticeDatabase(path: practice, seal: try await reading.key())
        #expect(try await practised.findDamage() == [])
        await practised.close()

        // What waits when the lock goes is not lost.
        try await append("last \(Self.words)", to: try await closed.openForAppending(damage: .refuse))
        let (data, lock) = try await opened()
        try await data.unseal()
        try await lock.disable()
        #expect(try await texts(try program().data) == all + ["more \(Self.words)", "last \(Self.words)"])
        #expect(try Data(contentsOf: URL(filePath: lines)) == plainLines)
        #expect(try leaks().count == 4 && !FileManager.default.fileExists(atPath: folder + "/inbox"))
        // A program that began while it was locked goes on.
        try await append("later", to: adding)
        #expect(try await texts(try program().data).last == "later")
    }

    @Test func `without the lock's own file the passphrase opens the data all the same`() async throws {
        try await plant()
        try await lock()
        try FileManager.default.removeItem(atPath: folder + "/app-lock")
        #expect(try await program().data.isLocked())
        let (data, lock) = try program()
        let header = try #require(try await data.lockedHeader())
        await #expect(throws: SecurityError.self) {
            try await lock.unlock(passphrase: Sensitive(utf8: "guess"), for: header)
        }
        #expect(try await texts(try await opened().data) == [Self.words])
        // Without both it stays closed, and says where the key is.
        try FileManager.default.removeItem(atPath: folder + "/inbox/seal")
        try FileManager.default.removeItem(atPath: folder + "/app-lock")
        let error = await #expect(throws: DomainError.self) { _ = try await texts(try program().data) }
        #expect(error?.detail?.contains("inbox") == true)
        #expect(try leaks() == [])
    }

    @Test func `a database that is in use is sealed by the next program`() async throws {
        try await plant()
        let running = try await program().data.conversations(damage: .refuse)
        try await lock()
        let report = try #require(reports.all.first)
        #expect(report.contains("conversations.sqlite is not sealed yet") && reports.all.count == 1)
        #expect(try leaks().allSatisfy { $0.hasPrefix("conversations.sqlite") })
        // Both go on with what there is.
        try await append("meanwhile", to: running)
        let (data, _) = try await opened()
        #expect(try await texts(data) == [Self.words, "meanwhile"])
        await running.close()
        try await data.seal()
        #expect(try leaks() == [])
        #expect(try await texts(data) == [Self.words, "meanwhile"])
        // And the lock does not go while one of them reads.
        let reading = try await data.conversations(damage: .refuse)
        try await append("waiting", to: try await program().data.openForAppending(damage: .refuse))
        // The inbox alone has the key then.
        try FileManager.default.removeItem(atPath: folder + "/app-lock")
        await #expect(throws: DomainError.self) { try await data.unseal() }
        await reading.close()
        #expect(try await texts(try await opened().data) == [Self.words, "meanwhile", "waiting"])
    }

    @Test func `a lock that was cut short after any step is completed`() async throws {
        try await plant()
        // The lock's file alone; then the inbox, too; then a sealed copy beside the plain file that was set aside.
        let (data, lock) = try program()
        try await lock.enable(passphrase: passphrase)
        #expect(try await texts(try await opened().data) == [Self.words])
        try await append("meanwhile", to: try await program().data.openForAppending(damage: .refuse))
        try Data("half".utf8).write(to: URL(filePath: history + ".damaged-1.sealed"))
        try Data("half of a copy".utf8).write(to: URL(filePath: history + ".resealed-1-2"))
        try await data.seal()
        #expect(try leaks() == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.contains { $0.contains(".resealed-") })
        let (again, _) = try await opened()
        #expect(try await texts(again) == [Self.words, "meanwhile"])
        // Taking it away, cut short before the inbox ends: the lock is still there, and the next use seals again.
        try await again.unseal()
        #expect(try leaks().count == 4)
        let (after, _) = try await opened()
        try await after.seal()
        #expect(try leaks() == [])
        #expect(try await texts(after) == [Self.words, "meanwhile"])
    }

    @Test func `what was said while the app was locked is there without a history`() async throws {
        try await lock()
        try await append("first", to: try await program().data.openForAppending(damage: .refuse))
        let (data, lock) = try await opened()
        try await data.unseal()
        try await lock.disable()
        #expect(try await texts(try program().data) == ["first"])
    }

    @Test func `a file that was set aside survives a break while it is unsealed`() async throws {
        let aside = history + ".damaged-1"
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try bytes.write(to: URL(filePath: aside))
        try await lock()
        #expect(!FileManager.default.fileExists(atPath: aside))
        try bytes.prefix(1_000).write(to: URL(filePath: aside + ".partial"))
        let (data, _) = try await opened()
        try await data.seal()
        #expect(!FileManager.default.fileExists(atPath: aside + ".partial"))
        try await data.unseal()
        #expect(try Data(contentsOf: URL(filePath: aside)) == bytes)
        #expect(reports.all == [])
    }

    @Test(arguments: [".resealed-1-2", ".recovered-1-2"])
    func `the copy of a program that ended is not left plain`(_ suffix: String) async throws {
        try await plant()
        try await lock()
        for name in [suffix, suffix + "-wal"] { try Data(Self.words.utf8).write(to: URL(filePath: history + name)) }
        #expect(try leaks().count == 2)
        let (data, _) = try await opened()
        try await data.seal()
        #expect(try leaks() == [] && reports.all == [])
    }

    @Test func `a damaged database is set aside and sealed as it is`() async throws {
        try await plant()
        let running = try await program().data.conversations(damage: .refuse)
        for number in 0..<300 { try await append("\(number) " + String(repeating: "w ", count: 99), to: running) }
        // With its log, as a program that was killed leaves it.
        let names = ["", "-wal"]
        var bytes = try names.map { try Data(contentsOf: URL(filePath: history + $0)) }
        await running.close()
        bytes[0].replaceSubrange(20_000..<30_000, with: repeatElement(0xFF, count: 10_000))
        for (name, bytes) in zip(names, bytes) { try bytes.write(to: URL(filePath: history + name)) }
        let salvaged = try #require(try await SQLiteConversationRepository.repair(path: history, seal: nil))
        func kept() throws -> [Data] { try names.map { try Data(contentsOf: URL(filePath: salvaged.setAside + $0)) } }
        #expect(try kept() == bytes)
        try await lock()
        #expect(reports.all == [])
        let (data, _) = try await opened()
        try await data.unseal()
        #expect(try kept() == bytes && reports.all == [])
    }

    @Test func `a damaged history is salvaged sealed`() async throws {
        try await plant()
        let repository = try await program().data.conversations(damage: .refuse)
        for number in 0..<300 {
            try await append("\(Self.words) \(number) " + String(repeating: "w ", count: 60), to: repository)
        }
        await repository.close()
        try await lock()
        let file = try #require(FileHandle(forUpdatingAtPath: history))
        let size = try file.seekToEnd()
        try file.seek(toOffset: size / 2)
        try file.write(contentsOf: Data(repeating: 0xFF, count: 20_000))
        try file.close()
        let (data, _) = try await opened()
        await #expect(throws: DomainError.self) { _ = try await texts(data) }
        let salvaged = try await SQLiteConversationRepository.repair(path: history, seal: try await data.key())
        #expect(salvaged?.path == history)
        #expect(try await texts(data).count > 100)
        #expect(try leaks() == [])
    }

    @Test func `an item that cannot be opened is named and kept`() async throws {
        try await plant()
        try await lock()
        let closed = try await program().data.openForAppending(damage: .refuse)
        try await append("one", to: closed)
        try await append("two", to: closed)
        let inbox = folder + "/inbox"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: inbox).sorted().first { $0.hasSuffix(".item") })
        try Data(repeating: 7, count: 90).write(to: URL(filePath: inbox + "/" + name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: inbox + "/" + name)
        #expect(try await texts(try await opened().data) == [Self.words, "two"])
        #expect(reports.all.contains { $0.contains("\(name).damaged") })
    }

    @Test func `programs that append, read and seal at once lose no message`() async throws {
        try await plant()
        try await lock()
        let added = (0..<4).map { writer in (0..<15).map { "\(writer)-\($0)" } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for texts in added {
                group.addTask {
                    let adding = try await program().data.openForAppending(damage: .refuse)
                    for text in texts { try await append(text, to: adding) }
                }
            }
            group.addTask { for _ in 0..<5 { _ = try await texts(try await opened().data) } }
            try await group.waitForAll()
        }
        let found = try await texts(try await opened().data)
        #expect(found.count == 61 && Set(found) == Set(added.joined()).union([Self.words]))
    }

    @Test func `an answer that grows while the app is locked is stored once, as it was last`() async throws {
        try await plant()
        try await lock()
        let closed = try await program().data.openForAppending(damage: .refuse)
        var answer = Message(
            conversation: conversation.id, turn: TurnID(), role: .tool, modality: .text, text: "",
            createdAt: .init(
                timeIntervalSince1970: 2), state: .partial, source: .tool("weather"), device: "laptop",
            usage: AnswerUsage(inputTokens: 1, outputTokens: 2, cost: 0.25),
            toolCall: .init(callID: "1", name: "weather", arguments: "{}"))
        try await closed.save(answer, in: conversation)
        (answer.text, answer.state) = ("Sunny.", .interrupted(heard: 4))
        try await closed.save(answer, in: conversation)
        await #expect(throws: DomainError.unusable(.locked)) {
            _ = try await closed.summaries(pinned: nil, after: nil, limit: 1)
        }
        let repository = try await opened().data.conversations(damage: .refuse)
        #expect(try await repository.recentMessages(limit: 9).dropFirst() == [answer])
        await repository.close()
    }

    @Test func `measurements wait while the app is locked, beside their turns`() async throws {
        try await plant()
        try await lock()
        let closed = try await program().data.openForAppending(damage: .refuse)
        let answer = Message(
            conversation: conversation.id, turn: TurnID(), role: .assistant, modality: .text, text: "Austin",
            createdAt: .now, source: .states)
        func measured(_ turn: TurnID, _ outcome: TurnOutcome) -> TurnMeasurement {
            let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
            return TurnMeasurement(
                turn: turn, startedAt: start, modality: .voice, outcome: outcome,
                latencies: [.reply: .microseconds(1_250)], sentences: 2, cachedSentences: 1)
        }
        let (first, second) = (measured(answer.turn, .answered), measured(TurnID(), .failed("offline")))
        try await closed.append([answer], to: conversation)
        for measurement in [first, second] { try await closed.note(measurement, at: .now) }
        await #expect(throws: DomainError.unusable(.locked)) {
            _ = try await closed.turns(in: .distantPast..<Date.distantFuture)
        }
        let repository = try await opened().data.conversations(damage: .refuse)
        let found = try await repository.turns(in: .distantPast..<Date.distantFuture)
        #expect(Set(found.map(\.measurement)) == [first, second])
        #expect(Set(found.map(\.source)) == [.states, nil])
        #expect(
            try await repository.summaries(pinned: nil, after: nil, limit: 9).summaries.count == 1,
            "no conversation of its own")
        await repository.close()
        #expect(try leaks() == [])
    }

    @Test func `a sealed history of an earlier version is migrated`() async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            atPath: fixture.path + "/Fixtures/conversations-1.sqlite", toPath: history)
        try await lock()
        #expect(try await Database.isSealed(history) == true)
        #expect(try await texts(try await opened().data).count == 6)
        #expect(try leaks() == [])
    }
}
