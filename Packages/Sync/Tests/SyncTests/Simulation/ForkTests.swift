// SPDX-License-Identifier: MIT

import Concurrency
import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

/// A device whose home was copied, so that its keys sign two histories; and somebody who has the place and no key.
struct ForkTests {
    private static let container = [UInt8](repeating: 1, count: 16)

    private func change(_ text: String) -> SyncChange {
        SyncChange(SyncRecordKey(kind: 2, id: Self.container), [SyncField(1, .last): Array(text.utf8)])
    }

    /// Two devices of a group, with an entry each.
    private func group(_ place: MemoryPlace) async throws -> (laptop: SimulatedDevice, phone: SimulatedDevice) {
        let laptop = try SimulatedDevice(name: "laptop", clock: 1_700_000_000_000)
        let phone = try SimulatedDevice(name: "phone", clock: 1_700_000_000_000)
        let (keys, recovery, new) = (laptop.keys, try SecretKeys().publicKeys, phone.keys.publicKeys)
        let (group, founding) = try await laptop.storage.write(isDurable: true) { tables in
            var replica = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
            let founding = replica.roster.graph.records[replica.group]?.bytes ?? []
            try replica.change(.addition(new, name: "phone"), tables)
            return (replica.group, founding)
        }
        try await phone.storage.write(isDurable: true) { try Replica.join(group: group, founding: founding, $0) }
        for device in [laptop, phone, laptop, phone] {
            _ = try await device.round(place, isWhole: true)
            try await device.write([change("by \(device.name)")])
        }
        for device in [laptop, phone, laptop, phone] { _ = try await device.round(place, isWhole: true) }
        return (laptop, phone)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>) func `two histories of one device are named`(seed: UInt64)
        async throws
    {
        var generator = SplitMix64(seed: seed)
        let place = MemoryPlace()
        let (laptop, phone) = try await group(place)
        let copy = try SimulatedDevice(copying: phone)
        for (device, text) in [(phone, "one"), (copy, "another")] {
            for number in 0..<Int.random(in: 1...3, using: &generator) {
                try await device.write([change("\(text) \(number)")])
            }
        }
        var findings: [SyncFinding] = []
        // Each one exchanges twice, in any order: whoever sees both histories says so.
        for device in ([laptop, phone, copy] + [laptop, phone, copy]).shuffled(using: &generator) {
            findings += try await device.round(place, isWhole: Bool.random(using: &generator)).findings
        }
        for device in [laptop, phone, copy] { findings += try await device.round(place, isWhole: true).findings }
        #expect(findings.contains { $0.kind == .forked && $0.device == phone.id }, "seed \(seed): \(findings)")
    }

    @Test func `the place gives nothing to somebody without a device's key`() async throws {
        let place = MemoryPlace()
        let (laptop, _) = try await group(place)
        let (group, founding) = try await laptop.replica.read { replica, _ in
            (replica.group, replica.roster.graph.records[replica.group]?.bytes ?? [])
        }
        let thief = try SimulatedDevice(name: "thief", clock: 0)
        try await thief.storage.write(isDurable: true) { try Replica.join(group: group, founding: founding, $0) }
        for _ in 0..<2 { _ = try await thief.round(place, isWhole: true) }
        let tables = MemoryTables(thief.storage.state)
        let replica = try Replica(keys: thief.keys, tables)
        #expect(tables.state.fields.isEmpty && replica.roster.ring.keys.isEmpty && replica.roster.ring.names.isEmpty)
        // Nor do the objects open, if it reads the logs all the same.
        var reader = replica
        for object in try await place.list(after: nil).objects {
            _ = try reader.receive(object.name, try await place.read(object.name), tables)
        }
        #expect(tables.state.fields.isEmpty)
        #expect(try thief.summary().isEmpty && !laptop.summary().isEmpty)
    }
}

extension SimulatedDevice {
    /// Another home with the same content and the same keys.
    fileprivate convenience init(copying device: SimulatedDevice) throws {
        try self.init(
            name: "copy of \(device.name)", keys: device.keys, storage: MemoryStorage(device.storage.state),
            clock: device.mind.withLock { $0.clock })
    }
}
