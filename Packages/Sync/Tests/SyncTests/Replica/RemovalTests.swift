// SPDX-License-Identifier: MIT

import SyncWire
import Testing

@testable import Sync

/// Devices that remove each other without knowing.
struct RemovalTests {
    @Test func `entries that count again are read in the same exchange`() async throws {
        let group = try await ThreeDevices()
        let record = SyncRecordKey(kind: 2, id: [UInt8](repeating: 1, count: 16))
        try await group.laptop.write([SyncChange(record, [SyncField(1, .last): [1]])])
        try await group.exchange([group.laptop, group.phone, group.tablet], times: 2)
        try await group.remove(group.laptop, by: group.phone)
        try await group.exchange([group.phone, group.tablet])
        // The laptop is more senior, and does not know.
        try await group.remove(group.phone, by: group.laptop)
        try await group.laptop.write([SyncChange(record, [SyncField(1, .last): [2]])])
        try await group.exchange([group.laptop, group.tablet])
        let value = try SyncRecord(record, MemoryTables(group.tablet.storage.state))?[SyncField(1, .last)]
        #expect(value == [2])
    }
}
