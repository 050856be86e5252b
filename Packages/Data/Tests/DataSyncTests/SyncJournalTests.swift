// SPDX-License-Identifier: MIT

import FoundationEssentials
import Persistence
import Sync
import SyncTestSupport
import Testing

@testable import DataSync

/// The state of sync, read without the device's keys.
struct SyncJournalTests {
    private let database: Database
    private let journal: SyncJournal
    private let device: SyncDevice

    init() async throws {
        database = try await Database.inMemory()
        try await database.migrate([SyncJournal.migration] + SyncDevice.migrations)
        journal = SyncJournal(database)
        device = try await SyncDevice.found(
            in: database, keys: SecretKeys(), recovery: SecretKeys().publicKeys, name: "desk")
    }

    private func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

    private func marks(_ count: Int, oldest: Date?) -> PendingChanges {
        var pending = PendingChanges()
        (pending.count, pending.oldest) = (count, oldest)
        return pending
    }

    @Test func `a new journal has nothing to say`() async throws {
        let summary = try await journal.summary(PendingChanges())
        #expect(summary.waiting == 0 && summary.waitingSince == nil)
        #expect(summary.lastExchange == nil && summary.failure == nil)
    }

    @Test func `the oldest change counts, handed over or not`() async throws {
        try await journal.begin(device.id, oldest: time(10))
        let key = SyncRecordKey(kind: 16, id: [UInt8](repeating: 1, count: 16))
        try await device.write([SyncChange(key, [SyncField(1, .last): [1]])], now: 1_700_000_000_000)
        try await journal.fail(at: time(20), "Away.")
        try await journal.begin(device.id, oldest: time(30))
        let summary = try await journal.summary(marks(2, oldest: time(30)))
        let entries = try await device.status().waitingEntryCount
        #expect(entries > 0 && summary.waiting == entries + 2)
        #expect(summary.waitingSince == time(10))
        #expect(summary.failure == SyncSummary.Failure(time: time(20), reason: "Away."))
    }

    @Test func `an exchange ends the wait and the failure`() async throws {
        try await journal.begin(device.id, oldest: time(10))
        try await journal.fail(at: time(20), "Away.")
        _ = try await device.sync(with: MemoryPlace(), now: { 1_700_000_000_000 }, isWhole: true)
        try await journal.succeed(at: time(30), waiting: nil)
        let summary = try await journal.summary(PendingChanges())
        #expect(summary.waiting == 0 && summary.waitingSince == nil && summary.failure == nil)
        #expect(summary.lastExchange == time(30))
    }

    @Test func `changes that come to nothing are forgotten`() async throws {
        try await journal.begin(device.id, oldest: time(10))
        try await journal.settle()
        #expect(try await journal.summary(marks(1, oldest: time(40))).waitingSince == time(40))
    }
}
