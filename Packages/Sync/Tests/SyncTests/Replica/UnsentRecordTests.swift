// SPDX-License-Identifier: MIT

import Testing

@testable import Sync

/// A container that one device erases while another one writes to it.
struct UnsentRecordTests {
    private let group: ThreeDevices
    private let container = [UInt8](repeating: 7, count: 16)

    init() async throws {
        group = try await ThreeDevices()
        try await write(1, by: group.laptop)
        try await group.exchange([group.laptop, group.phone], times: 2)
    }

    private func message(_ number: UInt8) -> SyncRecordKey {
        SyncRecordKey(kind: 3, id: container + [UInt8](repeating: number, count: 16))
    }

    private func write(_ number: UInt8, by device: SimulatedDevice) async throws {
        try await device.write([SyncChange(message(number), [SyncField(1, .first): [number]])])
    }

    private func unsent(on device: SimulatedDevice) throws -> [SyncRecordKey] {
        let tables = MemoryTables(device.storage.state)
        let change = try #require(tables.changed(after: 0, limit: 99).last { $0.record.kind == 0 })
        return try SyncRecordChange(change, tables).unsent
    }

    @Test func `only what nobody can have seen is unsent`() async throws {
        try await group.phone.write([.erasing(container)])
        try await group.exchange([group.phone])
        try await write(2, by: group.laptop)
        // Part of this one was at the place before.
        try await group.laptop.write([SyncChange(message(1), [SyncField(2, .last): [1]])])
        try await group.exchange([group.laptop, group.phone], times: 3)
        #expect(try unsent(on: group.laptop) == [message(2)])
        #expect(try unsent(on: group.phone) == [])
    }

    @Test func `what was at the place before the erasure is not`() async throws {
        try await write(2, by: group.laptop)
        try await group.exchange([group.laptop, group.phone], times: 2)
        try await group.phone.write([.erasing(container)])
        try await group.exchange([group.phone, group.laptop], times: 2)
        #expect(try unsent(on: group.laptop) == [])
    }

    @Test func `an own erasure leaves nothing`() async throws {
        try await write(2, by: group.laptop)
        try await group.laptop.write([.erasing(container)])
        try await group.exchange([group.laptop, group.phone], times: 2)
        #expect(try unsent(on: group.laptop) == [])
    }
}
