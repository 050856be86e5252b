// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import Persistence
import Sync
import SyncTestSupport
import TestKit
import Testing

@testable import DataSync

/// A device with its databases.
struct Home {
    let repository: SQLiteConversationRepository
    let practice: PracticeDatabase
    let settings: OpenKeyValueFile
    let keys: SecretKeys
    /// The database of sync.
    let log: Database
    let device: SyncDevice
    let data: SyncedData
    let sync: RecordSync
    let place: MemoryPlace
    let folder: TemporaryFolder

    static func pair() async throws -> (Home, Home) {
        let homes = try await group("desk", "laptop")
        return (homes[0], homes[1])
    }

    /// The homes of a group, the founder's first.
    static func group(_ names: String...) async throws -> [Home] {
        let (place, keys, log) = (MemoryPlace(), try SecretKeys(), try await syncDatabase())
        let founder = try await SyncDevice.found(
            in: log, keys: keys, recovery: SecretKeys().publicKeys, name: names[0])
        var homes = [try await Home(founder, keys, log, place)]
        for name in names.dropFirst() {
            let (keys, log) = (try SecretKeys(), try await syncDatabase())
            try await founder.add(keys.publicKeys, name: name)
            let invitation = try await founder.invitation()
            let joined = try await SyncDevice.join(
                group: invitation.group, founding: invitation.founding, in: log, keys: keys)
            homes.append(try await Home(joined, keys, log, place))
        }
        try await settle(homes)
        return homes
    }

    private static func syncDatabase() async throws -> Database {
        let database = try await Database.inMemory()
        try await database.migrate(SyncDevice.migrations)
        return database
    }

    private init(_ device: SyncDevice, _ keys: SecretKeys, _ log: Database, _ place: MemoryPlace) async throws {
        folder = try TemporaryFolder()
        repository = try await SQLiteConversationRepository()
        practice = try await PracticeDatabase()
        settings = try await KeyValueFile(path: folder.file("settings.sqlite")).open()
        (self.device, self.keys, self.log, self.place) = (device, keys, log, place)
        let synced = SyncedSettings(settings, names: ["voice", "budget"]) { _, text in text != "invalid" }
        data = SyncedData(conversations: repository, practice: practice, settings: synced)
        sync = RecordSync(data, device, lock: folder.file("sync.lock"))
        try await data.enable()
    }

    func say(_ text: String) async throws -> Conversation {
        let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 1_700_000_000))
        try await repository.append([.make(conversation, .user, text, at: 0)], to: conversation)
        return conversation
    }

    static func exchange(_ home: Home) async throws {
        let report = try await home.device.sync(with: home.place, now: { 1_700_000_000_000 }, isWhole: true)
        #expect(report.findings.isEmpty)
    }

    static func settle(_ homes: Home...) async throws { try await settle(homes) }

    static func settle(_ homes: [Home]) async throws {
        for _ in 0..<3 {
            for home in homes {
                let isMember = try await home.device.status().isMember
                if isMember == true { try await home.sync.handOver(now: 1_700_000_000_000) }
                try await exchange(home)
                _ = try await home.sync.takeOver()
            }
        }
    }
}

extension Message {
    static func make(
        _ conversation: Conversation, _ role: Role, _ text: String, at seconds: Double
    ) -> Message {
        Message(
            conversation: conversation.id, turn: TurnID(), role: role, modality: .text, text: text,
            createdAt: Date(timeIntervalSince1970: seconds < 1_000_000 ? 1_700_000_000 + seconds : seconds.rounded()))
    }
}
