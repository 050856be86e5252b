// SPDX-License-Identifier: MIT

import Testing

@testable import Sync

/// Heads of logs without an entry: a device may have noted one, and no snapshot at a place has one.
@Suite struct SnapshotHeadTests {
    private let (empty, full): (DeviceID, DeviceID)
    private let hash: Hash

    init() throws {
        empty = try #require(DeviceID([UInt8](repeating: 1, count: 16)))
        full = try #require(DeviceID([UInt8](repeating: 2, count: 16)))
        hash = try Hash(of: [1])
    }

    @Test func `a noted head without an entry is left out`() throws {
        let heads = [empty: LogHead(sequence: 0, hash: hash), full: LogHead(sequence: 7, hash: hash)]
        let noted = KnownSnapshot(device: full, number: 3, heads: heads)
        let read = try KnownSnapshot(noted.encoded)
        #expect(read.number == 3 && read.heads.mapValues(\.sequence) == [full: 7])
    }

    @Test(arguments: [(UInt64(0), false), (1, true)])
    func `a snapshot at a place has none`(sequence: UInt64, isTaken: Bool) throws {
        var writer = ByteWriter()
        SnapshotItem.head(empty, LogHead(sequence: sequence, hash: hash)).write(to: &writer)
        #expect((try? SnapshotItem.items(of: writer.bytes, part: 1).count) == (isTaken ? 1 : nil))
    }
}
