// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Domain
import FoundationEssentials
import Persistence
import Sync
import TestKit
import Testing

@testable import DataSync

/// The conversations of two homes, with real stores and a place in memory.
struct ConversationSyncTests {
    @Test func `everything arrives at the other device`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        var answer = Message.make(conversation, .assistant, "Austin is the capital.", at: 2)
        answer.source = .model("large")
        answer.usage = AnswerUsage(inputTokens: 12, outputTokens: 7, cost: 0.5)
        answer.state = .interrupted(heard: 9)
        var call = Message.make(conversation, .tool, "found", at: 1)
        call.toolCall = Message.ToolExchange(callID: "1", name: "look", arguments: "{}", isError: true)
        let messages = [Message.make(conversation, .user, "Capital of Texas?", at: 0), call, answer]
        try await first.repository.append(messages, to: conversation)
        try await first.repository.rename(conversation.id, to: "Texas")
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: conversation.id) == messages)
        let summary = try await second.repository.summary(conversation.id)
        #expect(summary?.title == "Texas" && summary?.conversation == conversation && summary?.isPinned == false)
        #expect(try await second.repository.search("austin", limit: 5).map(\.id) == [answer.id])
    }

    @Test func `changes of different fields both stay`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await Home.settle(first, second)
        try await first.repository.rename(conversation.id, to: "Mine")
        try await second.repository.setPinned(true, conversation.id)
        try await Home.settle(second, first)
        for home in [first, second] {
            let summary = try await home.repository.summary(conversation.id)
            #expect(summary?.title == "Mine" && summary?.isPinned == true)
        }
    }

    @Test func `the last change of a field wins everywhere`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await Home.settle(first, second)
        try await first.repository.rename(conversation.id, to: "First")
        try await first.sync.handOver(now: 5)
        try await second.repository.rename(conversation.id, to: "Second")
        try await second.sync.handOver(now: 1_900_000_000_000)
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.repository.summary(conversation.id)?.title == "Second")
        }
    }

    @Test func `both go on offline and agree on the order`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Start")
        try await Home.settle(first, second)
        for number in 1...3 {
            try await first.repository.append(
                [.make(conversation, .user, "first \(number)", at: Double(number * 10))], to: conversation)
            try await second.repository.append(
                [.make(conversation, .user, "second \(number)", at: Double(number * 10) + 5)], to: conversation)
        }
        try await Home.settle(first, second)
        let texts = try await first.repository.messages(in: conversation.id).map(\.text)
        #expect(texts == ["Start", "first 1", "second 1", "first 2", "second 2", "first 3", "second 3"])
        #expect(try await second.repository.messages(in: conversation.id).map(\.text) == texts)
    }

    @Test func `what is deleted is deleted everywhere`() async throws {
        let (first, second) = try await Home.pair()
        let (gone, kept) = (try await first.say("Secret"), try await first.say("Open"))
        try await Home.settle(first, second)
        _ = try await second.repository.delete(gone.id)
        let turn = try #require(try await first.repository.messages(in: kept.id).first).turn
        try await first.repository.append([.make(kept, .user, "Other", at: 9)], to: kept)
        _ = try await first.repository.delete([turn])
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.repository.conversation(gone.id) == nil)
            #expect(try await home.repository.messages(in: kept.id).map(\.text) == ["Other"])
            #expect(try await home.repository.search("secret", limit: 5).isEmpty)
        }
    }

    @Test func `what was made of messages goes before another device's deletion takes them`() async throws {
        struct Failure: Error {}
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Secret")
        try await Home.settle(first, second)
        let turn = try #require(try await first.repository.messages(in: conversation.id).first).turn
        _ = try await first.repository.delete([turn])
        try await first.sync.handOver(now: 10)
        try await Home.exchange(first)
        try await Home.exchange(second)
        let count = Guarded(0)
        func takeOver(_ home: Home, isFailing: Bool = false) async throws {
            var sync = home.sync
            sync.beforeErasing = {
                count.withLock { $0 += 1 }
                if isFailing { throw Failure() }
            }
            _ = try await sync.takeOver()
        }
        await #expect(throws: Failure.self) { try await takeOver(second, isFailing: true) }
        #expect(try await second.repository.messages(in: conversation.id).count == 1)
        try await takeOver(second)
        #expect(try await second.repository.messages(in: conversation.id).isEmpty)
        // A device's own deletion comes back to it.
        for home in [first, second] { try await takeOver(home) }
        #expect(count.withLock { $0 } == 2)
    }

    /// - Parameter handsOver: True for a message that was handed to the log before the exchange.
    @Test(arguments: [true, false])
    func `what was said meanwhile outlives a deletion`(handsOver: Bool) async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await Home.settle(first, second)
        _ = try await first.repository.delete(conversation.id)
        var message = Message.make(conversation, .user, "Not yet sent", at: 9)
        message.attachments = [Attachment(name: "small.png", bytes: [1, 2, 3])]
        try await second.repository.append([message], to: conversation)
        try await first.sync.handOver(now: 10)
        try await Home.exchange(first)
        if handsOver { try await second.sync.handOver(now: 11) }
        try await Home.exchange(second)
        _ = try await second.sync.takeOver()
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.repository.conversation(conversation.id) == nil)
            let kept = try #require(try await home.repository.recentMessages(limit: 9).first)
            let messages = try await home.repository.messages(in: kept.conversation)
            #expect(messages.map(\.text) == ["Not yet sent"] && messages.first?.attachments == message.attachments)
        }
    }

    @Test func `what the other device had seen goes with its deletion`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await second.sync.handOver(now: 10)
        try await Home.settle(first, second)
        try await second.repository.append([.make(conversation, .user, "Seen", at: 9)], to: conversation)
        try await Home.settle(second, first)
        _ = try await first.repository.delete(conversation.id)
        try await Home.settle(first, second)
        for home in [first, second] { #expect(try await home.repository.recentMessages(limit: 9).isEmpty) }
    }

    @Test func `a text that is longer than an entry arrives, and so does its change`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        let short = Message.make(conversation, .user, "Short", at: 9)
        var long = Message.make(conversation, .user, String(repeating: "word ", count: 660_000), at: 0)
        try await first.repository.append([long, short], to: conversation)
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: conversation.id) == [long, short])
        for text in ["Now short", String(repeating: "other ", count: 800_000), long.text] {
            long.text = text
            try await second.repository.save(long, in: conversation)
            try await Home.settle(second, first)
            #expect(try await first.repository.messages(in: conversation.id) == [long, short])
            #expect(try await second.data.pending().count == 0)
        }
    }

    @Test func `a text whose pieces are missing waits for them, and holds nothing up`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        let long = Message.make(conversation, .user, String(repeating: "word ", count: 660_000), at: 0)
        try await first.repository.append([long], to: conversation)
        let mark = try #require(
            try await first.repository.database.read { try SyncMarks.next(9, after: 0, on: $0) }.last)
        let source = ConversationSource(database: first.repository.database)
        let change = try await first.repository.database.read { try source.change(mark, on: $0) }
        guard case .changes(let changes) = change else { throw CancellationError() }
        #expect(changes.count == 5)
        // An earlier program knows no field of a piece, and no value of the text's kind.
        #expect(changes.last?.fields[SyncField(4, .last)].flatMap(ColumnValue.value) == nil)
        try await first.device.write(Array(changes.suffix(1)), now: 1)
        try await Home.exchange(first)
        try await Home.settle(second)
        #expect(try await second.repository.messages(in: conversation.id).isEmpty)
        let other = try await first.say("Afterwards")
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: other.id).map(\.text) == ["Afterwards"])
        #expect(try await second.repository.messages(in: conversation.id) == [long])
    }

    @Test func `a growing answer waits until it is whole`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = Conversation(startedAt: Date())
        var answer = Message.make(conversation, .assistant, "It is", at: Date().timeIntervalSince1970)
        answer.state = .partial
        try await first.repository.save(answer, in: conversation)
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: conversation.id).isEmpty)
        #expect(try await first.data.pending().count == 1)
        answer.text = "It is done."
        answer.state = .whole
        try await first.repository.save(answer, in: conversation)
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: conversation.id).map(\.text) == ["It is done."])
    }

    @Test func `files come with their message`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        var question = Message.make(conversation, .user, "What is this?", at: 0)
        question.attachments = [
            Attachment(name: "large.pdf", bytes: (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) }),
            Attachment(name: "empty.txt", bytes: []), Attachment(name: "small.png", bytes: [1, 2, 3]),
        ]
        try await first.repository.append([question], to: conversation)
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: conversation.id) == [question])
        try await Home.settle(first, second)
        #expect(try await first.data.pending().count == 0)
    }

    @Test func `what arrives is not sent back`() async throws {
        let (first, second) = try await Home.pair()
        _ = try await first.say("Hello")
        try await Home.settle(first, second)
        for home in [first, second] {
            #expect(try await home.data.pending().count == 0)
            try await home.sync.handOver(now: 99)
            #expect(try await home.device.status().waitingEntryCount == 0)
        }
    }

    @Test func `the losers of a field are kept, with their time and device`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await Home.settle(first, second)
        try await first.repository.rename(conversation.id, to: "Older")
        try await first.sync.handOver(now: 1_800_000_000_000)
        try await second.repository.rename(conversation.id, to: "Newer")
        try await second.repository.setPinned(true, conversation.id)
        try await second.sync.handOver(now: 1_900_000_000_000)
        try await Home.settle(first, second)
        for home in [first, second] {
            let values = try await home.device.overwritten(in: conversation.id, messages: [])
            #expect(values.map(\.field) == [.title, .isPinned] && values.map(\.value) == ["Older", "false"])
            #expect(values.first?.device == first.device.id)
            #expect(values.first?.time == Date(timeIntervalSince1970: 1_800_000_000))
        }
    }

    @Test func `a file that was made anew has everything again`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await first.repository.rename(conversation.id, to: "Title")
        try await Home.settle(first, second)
        let repository = try await SQLiteConversationRepository()
        let data = SyncedData([ConversationSource(database: repository.database)])
        try await data.enable()
        #expect(try await RecordSync(data, second.device, lock: second.folder.file("sync.lock")).takeOver())
        #expect(try await repository.summary(conversation.id)?.title == "Title")
        #expect(try await data.pending().count == 0)
    }

    @Test func `messages of several conversations arrive in the order of their times`() async throws {
        let (first, second) = try await Home.pair()
        for number in 1...6 {
            let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000))
            let message = Message.make(conversation, .user, "\(number)", at: Double(number))
            try await first.repository.append([message], to: conversation)
        }
        try await Home.settle(first, second)
        let texts = try await second.repository.recentMessages(limit: 9).map(\.text)
        #expect(texts == ["1", "2", "3", "4", "5", "6"])
    }

    @Test func `a value that only a newer program can store does not stop the others`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        let id = try #require(RecordID.bytes(conversation.id.description))
        let strange = try #require(RecordID.bytes(Identifier<Message>().description))
        let fields: [SyncField: [UInt8]] = [
            SyncField(1, .last): ColumnValue.bytes(.text(TurnID().description)),
            SyncField(2, .last): ColumnValue.bytes(.text("choir")), SyncField(4, .last): ColumnValue.bytes(.text("La")),
        ]
        try await first.device.write([SyncChange(SyncRecordKey(kind: 17, id: id + strange), fields)], now: 1)
        _ = try await first.say("Afterwards")
        try await Home.settle(first, second)
        let texts = try await second.repository.recentMessages(limit: 9).map(\.text)
        #expect(Set(texts) == ["Hello", "Afterwards"])
    }

    @Test func `marks that were left by a crash double nothing`() async throws {
        let (first, second) = try await Home.pair()
        let conversation = try await first.say("Hello")
        try await first.sync.handOver(now: 1)
        let entries = try await first.device.status().waitingEntryCount
        try await first.repository.database.write { connection in
            for source in first.data.sources where source is ConversationSource {
                try SyncMarks.enable(source, on: connection)
            }
        }
        try await first.sync.handOver(now: 2)
        #expect(try await first.device.status().waitingEntryCount == entries)
        try await Home.settle(first, second)
        #expect(try await second.repository.messages(in: conversation.id).count == 1)
    }
}
