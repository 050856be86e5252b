// SPDX-License-Identifier: MIT

import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

@Suite(.timeLimit(.minutes(1))) struct RecoveryTests {
    /// A place with a group whose devices are lost, and the phrase on paper.
    private struct Ruin {
        let place = MemoryPlace()
        let phrase: RecoveryPhrase
        let lost: SimulatedDevice
        let change = SyncChange(SyncRecordKey(kind: 2, id: [UInt8](0..<16)), [SyncField(1, .last): [7]])

        init() async throws {
            phrase = try RecoveryPhrase()
            lost = try SimulatedDevice(name: "laptop", clock: 1_700_000_000_000)
            let (keys, recovery) = (lost.keys, try phrase.secretKeys.publicKeys)
            try await lost.storage.write(isDurable: true) { tables in
                _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
            }
            try await lost.write([change])
            try await sync(lost)
        }

        func sync(_ device: SimulatedDevice) async throws {
            let round = SyncRound(
                replica: device.replica, transport: place, now: { 1_700_000_000_000 }, isWhole: true,
                acknowledges: false)
            _ = try await round()
        }

        func use(_ phrase: RecoveryPhrase, on device: SimulatedDevice) async throws -> RecoveredGroup {
            let storage = device.storage
            return try await phrase.use(keys: device.keys, name: "new", over: place) { group, founding in
                try await storage.write(isDurable: true) { try Replica.joinOnce(group: group, founding: founding, $0) }
            }
        }

        func isRead(by device: SimulatedDevice) -> Bool {
            let versions = MemoryTables(device.storage.state).versions(of: change.record)
            return versions[SyncField(1, .last)]?.map(\.value) == [[7]]
        }
    }

    private func device() throws -> SimulatedDevice { try SimulatedDevice(name: "new", clock: 1_700_000_000_000) }

    @Test func `the phrase alone brings everything back`() async throws {
        let ruin = try await Ruin()
        let new = try device()
        let group = try await ruin.use(ruin.phrase, on: new)
        #expect(group.others == [RecoveredGroup.Device(device: ruin.lost.id, name: "laptop")])
        try await ruin.sync(new)
        #expect(ruin.isRead(by: new))
        // The new device can remove the lost one, and write.
        try await new.replica.write { try $0.change(.revocation(ruin.lost.id), $1) }
        try await new.write([ruin.change])
        try await ruin.sync(new)
        #expect(try await new.replica.read { replica, _ in replica.roster.membership.active } == [new.id])
    }

    @Test func `a second device is brought back by the same phrase`() async throws {
        let ruin = try await Ruin()
        let (first, second) = (try device(), try device())
        _ = try await ruin.use(ruin.phrase, on: first)
        let group = try await ruin.use(ruin.phrase, on: second)
        #expect(Set(group.others.map(\.device)) == [ruin.lost.id, first.id])
        for device in [first, second, ruin.lost, first] { try await ruin.sync(device) }
        #expect(ruin.isRead(by: first) && ruin.isRead(by: second))
        let members = try await ruin.lost.replica.read { replica, _ in replica.roster.membership.active.count }
        #expect(members == 3)
    }

    @Test func `once more with the same keys changes nothing`() async throws {
        let ruin = try await Ruin()
        let new = try device()
        struct Cut: Error {}
        await #expect(throws: Cut.self) {
            _ = try await ruin.phrase.use(keys: new.keys, name: "new", over: ruin.place) { _, _ in throw Cut() }
        }
        let before = try await ruin.place.list(after: nil).objects.count
        let group = try await ruin.use(ruin.phrase, on: new)
        #expect(try await ruin.place.list(after: nil).objects.count == before)
        #expect(group.others.map(\.device) == [ruin.lost.id])
        try await ruin.sync(new)
        #expect(ruin.isRead(by: new))
    }

    @Test func `another group's phrase finds nothing`() async throws {
        let ruin = try await Ruin()
        let other = try RecoveryPhrase()
        let new = try device()
        #expect(await outcome { try await ruin.use(other, on: new) }.code == .notFound)
        let empty = MemoryPlace()
        let keys = new.keys
        let found = await outcome {
            try await ruin.phrase.use(keys: keys, name: "new", over: empty) { _, _ in }
        }
        #expect(found.code == .notFound)
    }

    @Test func `a removed device needs new keys`() async throws {
        let ruin = try await Ruin()
        let new = try device()
        _ = try await ruin.use(ruin.phrase, on: new)
        try await ruin.sync(ruin.lost)
        try await ruin.lost.replica.write { try $0.change(.revocation(new.id), $1) }
        try await ruin.sync(ruin.lost)
        #expect(await outcome { try await ruin.use(ruin.phrase, on: new) }.code == .notMember)
    }

    @Test func `rubbish beside the records is passed over`() async throws {
        let ruin = try await Ruin()
        try await ruin.place.create(.membership(hash: [UInt8](repeating: 1, count: 32)), [1, 2, 3])
        let other = try RecoveryPhrase()
        let foreign = try Roster.makeFounding(
            device: SecretKeys(), recovery: other.secretKeys.publicKeys, name: "foreign")
        try await ruin.place.create(foreign.name, foreign.bytes)
        let new = try device()
        _ = try await ruin.use(ruin.phrase, on: new)
        let records = try await ruin.place.list(after: nil).objects.count
        #expect(records == 5)
    }
}
