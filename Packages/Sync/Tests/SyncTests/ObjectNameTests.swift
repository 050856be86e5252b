// SPDX-License-Identifier: MIT

import SyncWire
import TestKit
import Testing

struct ObjectNameTests {
    private static let device = [UInt8](0..<16)

    @Test(
        arguments: [
            SyncObjectName.membership(hash: [UInt8](repeating: 0xAB, count: 32)),
            .log(device: device, first: 1, last: SyncLimit.number - 1), .log(device: device, first: 7, last: 7),
            .snapshot(device: device, number: 0, part: 1, parts: 3), .pairing(id: device, step: 2),
        ]) func `a name is read as it is written`(name: SyncObjectName)
    {
        #expect(SyncObjectName(name.text) == name)
        #expect(name.text.utf8.count <= SyncLimit.nameByteCount)
    }

    @Test(
        arguments: [
            "", "-", "m-", "m-ab", "l-000102030405060708090a0b0c0d0e0f-2-1", "l-000102030405060708090a0b0c0d0e0f-0-1",
            "l-000102030405060708090a0b0c0d0e0f-01-2", "l-000102030405060708090a0b0c0d0e0f-+1-2",
            "l-000102030405060708090A0B0C0D0E0F-1-2", "l-000102030405060708090a0b0c0d0e0f-1-2.sync-conflict-2026",
            "l-000102030405060708090a0b0c0d0e0f-1-4611686018427387904",
            "l-000102030405060708090a0b0c0d0e0f-1-18446744073709551616",
            "s-000102030405060708090a0b0c0d0e0f-4611686018427387904-1-1", "../m-00", "p-00-1",
            "s-000102030405060708090a0b0c0d0e0f-1-4-3", "s-000102030405060708090a0b0c0d0e0f-1-0-3",
        ]) func `anything else is no name`(text: String)
    {
        #expect(SyncObjectName(text) == nil)
    }
}
