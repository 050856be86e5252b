// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Persistence
import TestKit
import Testing

@testable import DataLayer

/// What an answer about uploads does to the queue, in one file.
@Suite(.timeLimit(.minutes(5))) struct UploadConsentQueueTests {
    private let folder: TemporaryFolder
    private let database: PracticeDatabase
    private let consents: SQLiteUploadConsentStore
    private let queue: OutboxSyncQueue
    private let index: SQLiteRecordingIndex
    private let results: SQLitePracticeRepository

    init() async throws {
        folder = try TemporaryFolder()
        database = try await PracticeDatabase(path: folder.file("practice"))
        consents = SQLiteUploadConsentStore(database)
        queue = OutboxSyncQueue(database, account: "ada")
        index = SQLiteRecordingIndex(database, owner: "ada", queue: queue)
        results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
    }

    private func answer(_ decision: UploadConsent.Decision, includingEarlier: Bool = false) async throws {
        try await consents.store(
            UploadConsent(decision, at: Date(timeIntervalSince1970: 1)), of: "ada", includingEarlier: includingEarlier)
    }

    private func keep(owner: String? = "ada") async throws -> (Recording, PracticeResult) {
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
            byteCount: 3, contentHash: "a")
        let result = try PracticeSamples.result(recording: recording.id)
        let queue = owner == nil ? nil : queue
        _ = try await SQLiteRecordingIndex(database, owner: owner, queue: queue).insert(recording)
        try await SQLitePracticeRepository(database, owner: owner, queue: queue).store([result])
        return (recording, result)
    }

    private func works() async throws -> [SyncItem.Work] { try await queue.items().map(\.work) }

    @Test(arguments: UploadConsentStoreContract.checks)
    func `the store in SQLite keeps the contract`(_ check: ContractCheck<any UploadConsentStore>) async throws {
        try await check.run(consents)
    }

    @Test(arguments: [nil, UploadConsent.Decision.declined, .withdrawn])
    func `without a yes nothing gets into the queue`(_ decision: UploadConsent.Decision?) async throws {
        if let decision { try await answer(decision) }
        let (recording, _) = try await keep()
        #expect(try await works().isEmpty)
        #expect(try await consents.held(of: "ada") == HeldUploads(held: 2))
        #expect(try await queue.isHeld(recording.id))
        #expect(try await !queue.isWaiting(for: recording.id))
    }

    @Test func `a yes sends what comes and leaves the rest`() async throws {
        _ = try await keep()
        try await answer(.given)
        let (recording, result) = try await keep()
        #expect(try await works() == [.send(.recording, recording.id), .send(.result, result.id)])
        #expect(try await consents.held(of: "ada").held == 2)
    }

    @Test func `a yes to the earlier ones sends them in their order`() async throws {
        let (recording, result) = try await keep()
        let (unowned, old) = try await keep(owner: nil)
        #expect(try await consents.held(of: "ada") == HeldUploads(held: 2, unowned: 2))
        try await answer(.given, includingEarlier: true)
        #expect(
            try await works() == [
                .send(.recording, unowned.id), .send(.result, old.id), .send(.recording, recording.id),
                .send(.result, result.id),
            ])
        #expect(try await consents.held(of: "ada") == HeldUploads())
        #expect(try await results.result(old.id) == old)
    }

    @Test func `signing in adopts nothing by itself`() async throws {
        let (_, old) = try await keep(owner: nil)
        try await answer(.given)
        #expect(try await works().isEmpty)
        #expect(try await results.result(old.id) == nil)
    }

    @Test func `withdrawing takes everything out of the queue but deletions`() async throws {
        try await answer(.given)
        let (gone, _) = try await keep()
        let (recording, result) = try await keep()
        #expect(try await index.delete(gone.id))
        try await answer(.withdrawn)
        #expect(try await works() == [.delete(.recording, gone.id)])
        try await answer(.given, includingEarlier: true)
        #expect(try await works().contains(.send(.recording, recording.id)))
        #expect(try await works().contains(.send(.result, result.id)))
    }

    @Test func `what was held back all the time is deleted in silence`() async throws {
        let (recording, result) = try await keep()
        #expect(try await index.delete(recording.id))
        #expect(try await results.delete(result.id))
        #expect(try await works().isEmpty)
        #expect(try await consents.held(of: "ada") == HeldUploads())
    }

    @Test func `what was ever in the queue is deleted at the server, too`() async throws {
        try await answer(.given)
        let (recording, _) = try await keep()
        let delivery = try #require(try await queue.outbox.claim(lanes: queue.lanes(.allowed)))
        // The answer is lost: the attempt does not count, and the server may have the recording.
        try await queue.outbox.finish(delivery, .release)
        try await answer(.withdrawn)
        #expect(try await index.delete(recording.id))
        #expect(try await works() == [.delete(.recording, recording.id)])
    }

    @Test func `a deletion does not wait behind what is held back`() async throws {
        try await answer(.given)
        let (recording, _) = try await keep()
        let delivery = try #require(try await queue.outbox.claim(lanes: queue.lanes(.allowed)))
        try await answer(.withdrawn)
        // The attempt may have reached the server.
        await #expect(throws: DatabaseError.self) { try await queue.outbox.finish(delivery, .done) }
        #expect(try await index.delete(recording.id))
        let next = try await queue.outbox.claim(lanes: queue.lanes(.refused(.withdrawn)))
        #expect(next?.item.work == .delete(.recording, recording.id))
    }

    @Test func `what the server deleted is offered again`() async throws {
        try await answer(.given)
        let (recording, _) = try await keep()
        while let delivery = try await queue.outbox.claim(lanes: queue.lanes(.allowed)) {
            try await queue.outbox.finish(delivery, .done)
        }
        try await queue.noteSent(recording.id)
        try await answer(.withdrawn)
        try await database.withdrawSent("ada")
        #expect(try await index.allWithSent().map(\.isSent) == [false])
        #expect(try await consents.held(of: "ada").held == 2)
        try await answer(.given, includingEarlier: true)
        #expect(try await works().count == 2)
    }

    @Test func `what waited before there was a question is held back`() async throws {
        let path = folder.file("older")
        let id = Identifier<Recording>()
        do {
            let older = try await Database(at: path)
            try await older.migrate(PracticeSchema.migrations.dropLast())
            let outbox = Outbox(database: older)
            for (kind, key) in [("upload", "recording"), ("deletion", "deletion")] {
                try await outbox.enqueue(
                    OutboxMessage(
                        payload: Array(#"{"kind":"\#(kind)","id":"\#(id)"}"#.utf8), idempotencyKey: "\(key):\(id)",
                        lane: "ada"))
            }
            await older.close()
        }
        let database = try await PracticeDatabase(path: path)
        let queue = OutboxSyncQueue(database, account: "ada")
        #expect(try await queue.items().map(\.work) == [.delete(.recording, id)])
        #expect(try await SQLiteUploadConsentStore(database).held(of: "ada").held == 1)
        try await SQLiteUploadConsentStore(database).store(
            UploadConsent(.given, at: Date(timeIntervalSince1970: 1)), of: "ada", includingEarlier: true)
        #expect(try await queue.items().map(\.work) == [.delete(.recording, id), .send(.recording, id)])
    }
}
