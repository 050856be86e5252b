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
    let device: SyncDevice
    let data: SyncedData
    let sync: RecordSync
    let place: MemoryPlace
    let folder: TemporaryFolder

    static func pair() async throws -> (Home, Home) {
        let place = MemoryPlace()
        let (firstKeys, secondKeys) = (try SecretKeys(), try SecretKeys())
        let database = try await syncDatabase()
        let founder = try await SyncDevice.found(
            in: database, keys: firstKeys, recovery: SecretKeys().publicKeys, name: "desk")
        try await founder.add(secondKeys.publicKeys, name: "laptop")
        let invitation = try await founder.invitation()
        let joined = try await SyncDevice.join(
            group: invitation.group, founding: invitation.founding, in: syncDatabase(), keys: secondKeys)
        let homes = (try await Home(founder, place), try await Home(joined, place))
        try await settle(homes.0, homes.1)
        return homes
    }

    private static func syncDatabase() async throws -> Database {
        let database = try await Database.inMemory()
        try await database.migrate(SyncDevice.migrations)
        return database
    }

    private init(_ device: SyncDevice, _ place: MemoryPlace) async throws {
        folder = try TemporaryFolder()
        repository = try await SQLiteConversationRepository()
        practice = try await PracticeDatabase()
        settings = try await KeyValueFile(path: folder.file("settings.sqlite")).open()
        (self.device, self.place) = (device, place)
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

    static func settle(_ homes: Home...) async throws {
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
