// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import TestKit
import Testing

/// Measurements in the file of the conversations: who deletes, who damages and who reads it with another program.
@Suite(.timeLimit(.minutes(5))) struct MeasurementStoreTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("conversations.sqlite") }
    private let always = Date.distantPast..<Date.distantFuture

    init() throws { folder = try TemporaryFolder() }

    private func repository() async throws -> SQLiteConversationRepository {
        try await SQLiteConversationRepository(path: path, damage: .refuse)
    }

    private func measured(_ turn: TurnID = TurnID(), at start: Date = .now) -> TurnMeasurement {
        TurnMeasurement(turn: turn, startedAt: start, modality: .text, outcome: .answered)
    }

    /// Changes the file as a program that does not know it does.
    private func python(_ statements: String...) throws {
        let script = "import sqlite3, sys\ndatabase = sqlite3.connect(sys.argv[1])\n"
        let lines = statements.map { "database.execute(\"\"\"\($0)\"\"\")\n" }.joined()
        let result = try ChildProcess(
            "/usr/bin/python3", ["-c", script + lines + "database.commit()\n", path], errors: .captured
        ).finish()
        try #require(result.code == 0, "\(result.errors)")
    }

    @Test func `a message that another device deletes takes its measurement along`() async throws {
        let (store, conversation) = (try await repository(), Conversation(startedAt: .now))
        let messages = [Message.Role.user, .assistant].map {
            Message(
                conversation: conversation.id, turn: TurnID(), role: $0, modality: .text, text: "Texas",
                createdAt: .now)
        }
        try await store.append(messages, to: conversation)
        for message in messages { try await store.note(measured(message.turn), at: .now) }
        try python("DELETE FROM message WHERE role = 'user'")
        #expect(try await store.turns(in: always).map(\.measurement.turn) == [messages[1].turn])
    }

    @Test func `the table has no text but ids, codes and kinds`() async throws {
        let store = try await repository()
        try await store.note(
            TurnMeasurement(turn: TurnID(), startedAt: .now, modality: .voice, outcome: .failed("offline")), at: .now)
        await store.close()
        let columns = "SELECT group_concat(name) FROM pragma_table_info('turn_measurement') WHERE type != 'INTEGER'"
        let script = "import sqlite3, sys\nprint(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])"
        let result = try ChildProcess("/usr/bin/python3", ["-c", script, path, columns], output: .captured).finish()
        #expect(result.output == "turn,modality,outcome,code\n")
    }

    @Test func `a row of a newer program is an error that names the kind`() async throws {
        let store = try await repository()
        try await store.note(measured(), at: .now)
        try python("UPDATE turn_measurement SET outcome = 'guessed'")
        await #expect(throws: DomainError.unusable(.row("measurement"))) { _ = try await store.turns(in: always) }
    }

    @Test func `measurements of a damaged file are saved with its messages`() async throws {
        let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
        do {
            let (store, conversation) = (try await repository(), Conversation(startedAt: .now))
            for number in 0..<200 {
                let measurement = measured(at: start.addingTimeInterval(-Double(number)))
                let message = Message(
                    conversation: conversation.id, turn: measurement.turn, role: .assistant, modality: .text,
                    text: String(repeating: "word \(number) ", count: 40), createdAt: .now, source: .states)
                try await store.append([message], to: conversation)
                try await store.note(measurement, at: start)
            }
            await store.close()
        }
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let pages = try file.seekToEnd() / 4096
        try file.seek(toOffset: pages / 2 * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        #expect(try await SQLiteConversationRepository.repair(path: path) != nil)
        let store = try await repository()
        let turns = try await store.turns(in: always)
        #expect(turns.count > 100 && turns.contains { $0.source == .states }, "\(turns.count)")
        try await store.note(measured(at: start), at: start)
        #expect(try await store.findDamage().isEmpty)
    }

    @Test func `90 days of a busy person are read in one go`() async throws {
        let (store, now) = (try await repository(), Date.now)
        for number in 0..<2_000 {
            try await store.note(measured(at: now.addingTimeInterval(-Double(number) * 3_800)), at: now)
        }
        let turns = try await store.turns(in: TurnMeasurement.window(at: now))
        #expect(turns.count == 2_000)
        #expect(turns.map(\.measurement.startedAt) == turns.map(\.measurement.startedAt).sorted())
        let later = now.addingTimeInterval(89 * 86_400)
        try await store.note(measured(at: later), at: later)
        #expect(try await store.turns(in: always).count < 100)
    }
}
