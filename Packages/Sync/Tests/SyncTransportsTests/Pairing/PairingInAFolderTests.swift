// SPDX-License-Identifier: MIT

import FoundationEssentials
import Persistence
import Security
import Sync
import SyncTransports
import TestKit
import Testing

/// A pairing as two programs do it, with a shared folder and the machine's clock.
@Suite(.timeLimit(.minutes(5))) struct PairingInAFolderTests {
    private func database() async throws -> Database {
        let database = try await Database.inMemory()
        try await database.migrate(SyncDevice.migrations)
        return database
    }

    @Test func `a device is added and reads what was written before`() async throws {
        let folder = try TemporaryFolder()
        let now: @Sendable () -> Int64 = { 1_700_000_000_000 }
        let phrase = try RecoveryPhrase()
        let laptop = try await SyncDevice.found(
            in: database(), keys: SecretKeys(), recovery: phrase.secretKeys.publicKeys, name: "laptop")
        let change = SyncChange(SyncRecordKey(kind: 2, id: [UInt8](0..<16)), [SyncField(1, .last): [7]])
        try await laptop.write([change], now: now())
        _ = try await laptop.sync(with: FolderTransport(folder: folder.path), now: now, isWhole: true)

        let code = try PairingCode()
        async let offered = laptop.offer(code, over: FolderTransport(folder: folder.path), now: now) { _ in true }
        let phone = try await SyncDevice.accept(
            code, over: FolderTransport(folder: folder.path), in: database(), keys: SecretKeys(), name: "phone"
        ) { _ in true }
        #expect(try await offered.hasJoined)
        _ = try await phone.sync(with: FolderTransport(folder: folder.path), now: now, isWhole: true)
        #expect(try await phone.record(change.record)?[SyncField(1, .last)] == [7])
        let names = try await phone.devices().compactMap(\.name)
        #expect(Set(names) == ["laptop", "phone"])

        // Nothing of the pairing stays.
        let objects = try FileManager.default.contentsOfDirectory(atPath: folder.file("parley-sync"))
        #expect(objects.contains { $0.hasPrefix("m-") } && !objects.contains { $0.hasPrefix("p-") })
    }
}
