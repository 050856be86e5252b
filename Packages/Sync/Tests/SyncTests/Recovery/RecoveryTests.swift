// SPDX-License-Identifier: MIT

import Persistence
import Security
import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

/// A group whose devices are lost, and what a person with the phrase can do.
@Suite(.timeLimit(.minutes(5))) struct RecoveryTests {
    private struct Ruin {
        let place = MemoryPlace()
        let phrase: RecoveryPhrase
        let lost: SyncDevice
        let change = SyncChange(SyncRecordKey(kind: 2, id: [UInt8](0..<16)), [SyncField(1, .last): [7]])

        init() async throws {
            phrase = try RecoveryPhrase()
            lost = try await SyncDevice.found(
                in: PairingScene.database(), keys: SecretKeys(), recovery: phrase.secretKeys.publicKeys,
                name: "laptop")
            try await lost.write([change], now: 1_700_000_000_000)
            try await sync(lost)
        }

        func sync(_ device: SyncDevice) async throws {
            _ = try await device.sync(with: place, now: { 1_700_000_000_000 }, isWhole: true)
        }

        func recover(_ phrase: RecoveryPhrase, keys: SecretKeys) async throws -> SyncDevice {
            try await SyncDevice.recover(
                with: phrase.secretKeys, at: place, in: PairingScene.database(), keys: keys, name: "new")
        }

        func isRead(by device: SyncDevice) async throws -> Bool {
            try await device.record(change.record)?[SyncField(1, .last)] == [7]
        }

        func records() async throws -> Int {
            try await place.list(after: nil).objects.filter { $0.name.text.hasPrefix("m-") }.count
        }
    }

    @Test func `the phrase from paper brings everything back`() async throws {
        let ruin = try await Ruin()
        let paper = ruin.phrase.words.withExposed { words in
            words.enumerated().map { "\($0.offset + 1). \($0.element.uppercased())" }.joined(separator: "\n")
        }
        let new = try await ruin.recover(RecoveryPhrase(reading: Sensitive(utf8: paper)), keys: SecretKeys())
        try await ruin.sync(new)
        #expect(try await ruin.isRead(by: new))
        try await new.remove(ruin.lost.id)
        try await new.write([ruin.change], now: 1_700_000_000_000)
        try await ruin.sync(new)
        #expect(try await new.devices().filter(\.isActive).map(\.name) == ["new"])
    }

    @Test func `the phrase works for several devices`() async throws {
        let ruin = try await Ruin()
        let first = try await ruin.recover(ruin.phrase, keys: SecretKeys())
        let second = try await ruin.recover(ruin.phrase, keys: SecretKeys())
        for device in [first, second, ruin.lost, first] { try await ruin.sync(device) }
        let isRead = (try await ruin.isRead(by: first), try await ruin.isRead(by: second))
        #expect(isRead == (true, true))
        #expect(try await ruin.lost.devices().filter(\.isActive).count == 3)
    }

    @Test func `once more with the same keys changes nothing`() async throws {
        let ruin = try await Ruin()
        let keys = try SecretKeys()
        _ = try await ruin.recover(ruin.phrase, keys: keys)
        let before = try await ruin.records()
        let new = try await ruin.recover(ruin.phrase, keys: keys)
        #expect(try await ruin.records() == before)
        try await ruin.sync(new)
        #expect(try await ruin.isRead(by: new))
    }

    @Test func `another group's phrase finds nothing`() async throws {
        let ruin = try await Ruin()
        #expect(await outcome { try await ruin.recover(RecoveryPhrase(), keys: SecretKeys()) }.code == .notFound)
    }

    @Test func `rubbish beside the records is passed over`() async throws {
        let ruin = try await Ruin()
        try await ruin.place.create(.membership(hash: [UInt8](repeating: 1, count: 32)), [1, 2, 3])
        let foreign = try Roster.makeFounding(
            device: SecretKeys(), recovery: RecoveryPhrase().secretKeys.publicKeys, name: "foreign")
        try await ruin.place.create(foreign.name, foreign.bytes)
        let new = try await ruin.recover(ruin.phrase, keys: SecretKeys())
        try await ruin.sync(new)
        #expect(try await ruin.isRead(by: new))
    }

    @Test func `a newer record alone asks for an update`() async throws {
        let ruin = try await Ruin()
        let record = Array("PSM2".utf8)
        try await ruin.place.create(.membership(hash: SHA256.hash(record)), record)
        #expect(await outcome { try await ruin.recover(RecoveryPhrase(), keys: SecretKeys()) }.code == .newer)
        // One that is not the group's is in nobody's way.
        let new = try await ruin.recover(ruin.phrase, keys: SecretKeys())
        try await ruin.sync(new)
        #expect(try await ruin.isRead(by: new))
    }
}
