// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire
import Testing

@testable import Sync

/// Erasures by a phone that the laptop removes, while the tablet removes the laptop, and the place withholds the laptop's
/// removal: the phone is removed from before it erased, which nobody who is left can know.
struct ErasureTests {
    private let place = SimulatedPlace()
    private let laptop: SimulatedDevice
    private let phone: SimulatedDevice
    private let tablet: SimulatedDevice
    private let container = [UInt8](repeating: 7, count: 16)
    private var message: SyncRecordKey { SyncRecordKey(kind: 3, id: container + container) }
    private var erasure: SyncRecordKey { SyncRecordKey(kind: SyncRecordKey.erasure, id: container) }

    init() async throws {
        func device(_ name: String) throws -> SimulatedDevice {
            try SimulatedDevice(name: name, clock: 1_700_000_000_000)
        }
        (laptop, phone, tablet) = (try device("laptop"), try device("phone"), try device("tablet"))
        let (keys, recovery) = (laptop.keys, try SecretKeys().publicKeys)
        try await laptop.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
        }
        for device in [phone, tablet] { try await add(device, by: laptop) }
        try await laptop.write([SyncChange(message, [SyncField(1, .first): [1]])])
        try await exchange([laptop, phone, tablet], times: 3)
    }

    private func add(_ device: SimulatedDevice, by member: SimulatedDevice) async throws {
        let keys = device.keys.publicKeys
        let (group, founding) = try await member.replica.write { replica, tables in
            try replica.change(.addition(keys, name: "device"), tables)
            return (replica.group, replica.roster.graph.records[replica.group]?.bytes ?? [])
        }
        try await device.storage.write(isDurable: true) { try Replica.join(group: group, founding: founding, $0) }
    }

    private func exchange(_ devices: [SimulatedDevice], times: Int) async throws {
        for _ in 0..<times {
            for device in devices {
                let view = SimulatedPlace.View(place: place, reader: device.id) {
                } weather: {
                    SimulatedPlace.Weather()
                }
                let findings = try await device.round(view, isWhole: true).findings
                #expect(findings.isEmpty)
            }
        }
    }

    /// - Returns: The name of the record that the place withholds.
    private func removeEachOther() async throws -> SyncObjectName {
        let (lost, stolen) = (laptop.id, phone.id)
        let before = Set(place.state.withLock { $0.objects.keys })
        try await laptop.replica.write { try $0.change(.revocation(stolen), $1) }
        try await exchange([laptop], times: 1)
        let new = place.state.withLock { Set($0.objects.keys).subtracting(before) }
        let record = try #require(new.first { $0.isMembership })
        place.state.withLock { $0.objects[record]?.isHidden = true }
        try await tablet.replica.write { try $0.change(.revocation(lost), $1) }
        return record
    }

    /// Enough entries for a snapshot, without which nothing is tidied up.
    private func erase() async throws {
        try await phone.write([.erasing(container)])
        let title = SyncRecordKey(kind: 2, id: [UInt8](repeating: 8, count: 16))
        for number in 0..<40 as Range<UInt8> {
            try await tablet.write([SyncChange(title, [SyncField(1, .last): [number]])])
        }
        try await exchange([tablet, phone], times: 4)
        #expect(MemoryTables(tablet.storage.state).state.settings[.snapshot] != nil)
    }

    private func isStored(by device: SimulatedDevice) -> Bool {
        !MemoryTables(device.storage.state).versions(of: message).isEmpty
    }

    private func erasers(on device: SimulatedDevice) -> Set<DeviceID> {
        Set(MemoryTables(device.storage.state).versions(of: erasure).values.joined().map(\.stamp.device))
    }

    @Test func `what everybody knows as erased is deleted`() async throws {
        try await erase()
        try await exchange([laptop, phone, tablet], times: 4)
        for device in [laptop, phone, tablet] {
            #expect(!isStored(by: device) && erasers(on: device) == [phone.id])
        }
    }

    @Test func `a removed device that comes late takes an erasure back`() async throws {
        let record = try await removeEachOther()
        try await erase()
        #expect(isStored(by: tablet) && erasers(on: tablet) == [phone.id])
        #expect(try SyncRecord(message, MemoryTables(tablet.storage.state)) == nil)
        place.state.withLock { $0.objects[record]?.isHidden = false }
        try await exchange([tablet], times: 2)
        #expect(try SyncRecord(message, MemoryTables(tablet.storage.state)) != nil)
    }

    @Test func `after 90 days those who are left confirm an erasure`() async throws {
        let record = try await removeEachOther()
        try await erase()
        for device in [phone, tablet] { device.mind.withLock { $0.clock += 91 * 86_400_000 } }
        try await exchange([tablet, phone], times: 4)
        #expect(!isStored(by: tablet) && erasers(on: tablet) == [phone.id, tablet.id])
        place.state.withLock { $0.objects[record]?.isHidden = false }
        let watch = try SimulatedDevice(name: "watch", clock: 1_700_000_000_000)
        try await exchange([tablet], times: 2)
        try await add(watch, by: tablet)
        try await exchange([tablet, watch], times: 3)
        #expect(erasers(on: watch).contains(tablet.id) && !erasers(on: watch).contains(phone.id))
        #expect(try watch.summary() == tablet.summary())
    }
}
