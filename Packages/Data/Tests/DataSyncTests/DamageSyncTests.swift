// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Persistence
import Sync
import SyncTestSupport
import TestKit
import Testing

@testable import DataSync

/// A home whose file of conversations is damaged and repaired.
struct DamageSyncTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("conversations.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func opened<Value: Sendable>(
        _ home: Home, _ body: (SQLiteConversationRepository) async throws -> Value
    ) async throws -> Value {
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let data = SyncedData([ConversationSource(database: repository.database)])
        try await data.enable()
        let value = try await body(repository)
        let sync = RecordSync(data, home.device, lock: home.folder.file("sync.lock"))
        try await sync.handOver(now: 1_900_000_000_000)
        _ = try await sync.exchange(with: home.place, now: { 1_900_000_000_000 }, isWhole: true)
        await repository.close()
        return value
    }

    /// Overwrites the first page of a table.
    private func damage(_ table: String) async throws {
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        let root = try await repository.database.read { connection in
            try connection.first("SELECT rootpage FROM sqlite_schema WHERE name = \(table)", as: Int.self)
        }
        await repository.close()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(try #require(root) - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        try file.close()
        _ = try #require(try await SQLiteConversationRepository.repair(path: path))
    }

    @Test(arguments: ["conversation", "message", "schema_migration"])
    func `what a repair lost returns, and takes nothing from other devices`(table: String) async throws {
        let (first, second) = try await Home.pair()
        let (kept, gone) = (try await first.say("Hello"), try await first.say("Secret"))
        try await first.repository.rename(kept.id, to: "Title")
        try await first.repository.setPinned(true, kept.id)
        try await Home.settle(first, second)
        try await opened(second) { _ in }
        let repository = try await SQLiteConversationRepository(path: path, damage: .refuse)
        _ = try await repository.delete(gone.id)
        await repository.close()
        try await damage(table)
        try await opened(second) { _ in }
        try await Home.settle(first, second)
        let summary = try await opened(second) { try await $0.summary(kept.id) }
        for summary in [summary, try await first.repository.summary(kept.id)] {
            #expect(summary?.title == "Title" && summary?.isPinned == true && summary?.messageCount == 1)
        }
        let texts = try await opened(second) { try await $0.recentMessages(limit: 9).map(\.text) }
        #expect(try await first.repository.recentMessages(limit: 9).map(\.text) == ["Hello"] && texts == ["Hello"])
        #expect(try await opened(second) { try await $0.search("hello", limit: 2).map(\.text) } == ["Hello"])
    }

    /// A power failure may take what arrived last from the log, and not from the conversations.
    @Test func `changes of others arrive though the log was set back`() async throws {
        var homes = try await Home.group("desk", "laptop", "phone")
        let damaged = homes.removeFirst()
        homes.sort { $0.device.id < $1.device.id }
        try await damaged.log.backUp(to: folder.file("earlier.sqlite"))
        _ = try await homes[1].say("Received before")
        try await homes[1].sync.handOver(now: 1_900_000_000_000)
        try await Home.exchange(homes[1])
        let full = FullPlaceTests.FullPlace(place: damaged.place)
        await #expect(throws: SyncError.self) {
            try await damaged.sync.exchange(with: full, now: { 1_900_000_000_000 }, isWhole: true)
        }
        // Logs are read in the order of their devices: this one's changes get the numbers of the others.
        _ = try await homes[0].say("Sent meanwhile")
        try await homes[0].sync.handOver(now: 1_900_000_000_000)
        try await Home.exchange(homes[0])
        let earlier = try await Database(at: folder.file("earlier.sqlite"))
        let sync = RecordSync(
            damaged.data, try await SyncDevice.open(in: earlier, keys: damaged.keys),
            lock: damaged.folder.file("sync.lock"))
        try await sync.handOver(now: 1_900_000_000_000)
        _ = try await sync.exchange(with: damaged.place, now: { 1_900_000_000_000 }, isWhole: true)
        let texts = try await damaged.repository.recentMessages(limit: 9).map(\.text)
        #expect(Set(texts) == ["Received before", "Sent meanwhile"])
    }
}
