// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import TestKit
import Testing

/// A writer of growing answers that is killed at a random instant.
///
/// Before it stores a message, the writer notes the text that it wants to store ("want"), and after that, that it is
/// stored ("have"), in a file that the kill cannot take back.
private struct KilledWriter {
    static let pieceLimit = 1_024

    let path: String
    let journal: String
    let seed: UInt64

    /// Stores a question and an answer in pieces, again and again, until it is killed.
    func run() async throws {
        var generator = SeededGenerator(seed: seed)
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))
        let (notes, work) = (
            Int.random(in: 1...20, using: &generator), Int.random(in: 0...100_000, using: &generator)
        )
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let start = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [generator] in
            var generator = generator
            for _ in 0..<notes { start.wait() }
            // The time of a random amount of work, so that the kill can hit any part of a save.
            for _ in 0..<work { _ = generator.next() }
            kill(getpid(), SIGKILL)
        }
        while true {
            let turn = TurnID()
            try await store(message(.user, turn, "What is it?", conversation), repository, conversation, start)
            var answer = message(.assistant, turn, "", conversation)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let count = Int.random(in: 1...Self.pieceLimit / 8, using: &generator)
                answer.text += String(repeating: "a word. ", count: count)
                answer.state = .partial
                try await store(answer, repository, conversation, start)
            }
            answer.state = .whole
            try await store(answer, repository, conversation, start)
        }
    }

    private func message(
        _ role: Message.Role, _ turn: TurnID, _ text: String, _ conversation: Conversation
    ) -> Message {
        Message(
            conversation: conversation.id, turn: turn, role: role, modality: .text, text: text,
            createdAt: Date(timeIntervalSince1970: 1))
    }

    private func store(
        _ message: Message, _ repository: SQLiteConversationRepository, _ conversation: Conversation,
        _ start: DispatchSemaphore
    ) async throws {
        let line = "\(message.id) \(message.text.utf8.count) \(message.state == .whole ? "whole" : "partial")\n"
        try note("want " + line)
        start.signal()
        try await repository.save(message, in: conversation)
        try note("have " + line)
    }

    private func note(_ line: String) throws {
        let file = open(journal, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let bytes = Array(line.utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
    }
}

@Suite(.timeLimit(.minutes(10))) struct KilledConversationTests {
    private static let rounds = 200

    @Test func `a kill loses no stored message and one piece of the growing one`() async throws {
        let folder = try TemporaryFolder()
        let (path, journal) = (folder.file("conversations.sqlite"), folder.file("journal"))
        let seed = UInt64.random(in: 0 ... .max)
        var (pieces, running) = (0, 0)
        for round in 0..<Self.rounds {
            let roundSeed = seed &+ UInt64(round)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, journal = journal as String, roundSeed = roundSeed as UInt64] in
                try await KilledWriter(path: path, journal: journal, seed: roundSeed).run()
            }
            let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
            let stored = Dictionary(
                uniqueKeysWithValues: try await repository.recentMessages(limit: .max).map { ($0.id.description, $0) })
            let lines = (try? String(contentsOfFile: journal, encoding: .utf8)) ?? ""
            var (had, wanted): ([Substring: [Substring]], [Substring: [Substring]]) = ([:], [:])
            for line in lines.split(separator: "\n").map({ $0.split(separator: " ") }) where line.count == 4 {
                if line[0] == "have" { had[line[1]] = Array(line[2...]) }
                wanted[line[1]] = Array(line[2...])
            }
            for (id, last) in had {
                let message = try #require(stored[String(id)], "seed \(roundSeed): a stored message is lost")
                let isAhead = wanted[id] != last
                let (count, state) = (message.text.utf8.count, message.state == .whole ? "whole" : "partial")
                let isLast = "\(count)" == last[0] && state == last[1]
                let isNext = isAhead && ["\(count)", state] == (wanted[id] ?? []).map(String.init)
                #expect(isLast || isNext, "seed \(roundSeed): \(count) \(state) and not \(last)")
            }
            #expect(Set(stored.keys.map { Substring($0) }).isSubset(of: wanted.keys), "seed \(roundSeed)")
            #expect(try await repository.findDamage().isEmpty, "seed \(roundSeed)")
            #expect(
                try await repository.search("word", limit: .max).count
                    == stored.values.count { !$0.text.isEmpty && $0.role == .assistant })
            await repository.close()
            // A file of its own for each ten rounds keeps the rounds short.
            if round % 10 == 9 {
                pieces += had.count
                running += wanted.count { had[$0.key] != $0.value }
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    try FileManager.default.removeItem(atPath: folder.file(name))
                }
            }
        }
        // The test is worth nothing if no kill hit a writer at work.
        #expect(pieces > Self.rounds && running > 0, "seed \(seed): \(pieces) messages, \(running) in the making")
        print(
            "killed: \(Self.rounds) rounds, seed \(seed): \(pieces) messages read back, \(running) kills during a save")
    }
}
