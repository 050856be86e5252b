// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire
import Testing

@testable import Sync

/// Erasures by a phone that the laptop removes, while the tablet removes the laptop, and the place withholds the laptop's
/// removal: the phone is removed from before it erased, which nobody who is left can know.
struct ErasureTests {
    private let group: ThreeDevices
    private let container = [UInt8](repeating: 7, count: 16)
    private var message: SyncRecordKey { SyncRecordKey(kind: 3, id: container + container) }
    private var erasure: SyncRecordKey { SyncRecordKey(kind: SyncRecordKey.erasure, id: container) }

    private var laptop: SimulatedDevice { group.laptop }
    private var phone: SimulatedDevice { group.phone }
    private var tablet: SimulatedDevice { group.tablet }

    init() async throws {
        group = try await ThreeDevices()
        try await laptop.write([SyncChange(message, [SyncField(1, .first): [1]])])
        try await group.exchange([laptop, phone, tablet], times: 3)
    }

    /// - Returns: The name of the record that the place withholds.
    private func removeEachOther() async throws -> SyncObjectName {
        let before = Set(group.place.state.withLock { $0.objects.keys })
        try await group.remove(phone, by: laptop)
        try await group.exchange([laptop])
        let new = group.place.state.withLock { Set($0.objects.keys).subtracting(before) }
        let record = try #require(new.first { $0.isMembership })
        group.place.state.withLock { $0.objects[record]?.isHidden = true }
        try await group.remove(laptop, by: tablet)
        return record
    }

    /// Enough entries for a snapshot, without which nothing is tidied up.
    private func erase() async throws {
        try await phone.write([.erasing(container)])
        let title = SyncRecordKey(kind: 2, id: [UInt8](repeating: 8, count: 16))
        for number in 0..<40 as Range<UInt8> {
            try await tablet.write([SyncChange(title, [SyncField(1, .last): [number]])])
        }
        try await group.exchange([tablet, phone], times: 4)
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
        try await group.exchange([laptop, phone, tablet], times: 4)
        for device in [laptop, phone, tablet] {
            #expect(!isStored(by: device) && erasers(on: device) == [phone.id])
        }
    }

    @Test func `it is deleted without a snapshot, too`() async throws {
        try await phone.write([.erasing(container)])
        try await group.exchange([phone, laptop, tablet], times: 2)
        for device in [laptop, phone, tablet] {
            #expect(MemoryTables(device.storage.state).state.settings[.snapshot] == nil)
            #expect(!isStored(by: device) && erasers(on: device) == [phone.id])
        }
    }

    @Test func `a removed device that comes late takes an erasure back`() async throws {
        let record = try await removeEachOther()
        try await erase()
        #expect(isStored(by: tablet) && erasers(on: tablet) == [phone.id])
        #expect(try SyncRecord(message, MemoryTables(tablet.storage.state)) == nil)
        group.place.state.withLock { $0.objects[record]?.isHidden = false }
        try await group.exchange([tablet], times: 2)
        #expect(try SyncRecord(message, MemoryTables(tablet.storage.state)) != nil)
    }

    @Test func `after 90 days those who are left confirm an erasure`() async throws {
        let record = try await removeEachOther()
        try await erase()
        for device in [phone, tablet] { device.mind.withLock { $0.clock += 91 * 86_400_000 } }
        try await group.exchange([tablet, phone], times: 4)
        #expect(!isStored(by: tablet) && erasers(on: tablet) == [phone.id, tablet.id])
        group.place.state.withLock { $0.objects[record]?.isHidden = false }
        let watch = try SimulatedDevice(name: "watch", clock: 1_700_000_000_000)
        try await group.exchange([tablet], times: 2)
        try await group.add(watch, by: tablet)
        try await group.exchange([tablet, watch], times: 3)
        #expect(erasers(on: watch).contains(tablet.id) && !erasers(on: watch).contains(phone.id))
        #expect(try watch.summary() == tablet.summary())
    }
}
