// SPDX-License-Identifier: MIT

import Security
import SyncTestSupport
import SyncWire
import Testing

@testable import Sync

/// A place, or a member, that claims more than there is.
struct HostilePlaceTests {
    private let tables = MemoryTables(.init())
    private var replica: Replica

    init() throws {
        replica = try Replica.found(
            keys: SecretKeys(), recovery: try SecretKeys().publicKeys, name: "laptop", tables)
    }

    private func object(_ name: SyncObjectName) -> SyncObject { SyncObject(name: name, size: 100) }

    private func unknownDevice(_ number: Int) -> [UInt8] {
        [UInt8](repeating: 0xEE, count: 12) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    @Test func `names without end take a bounded place`() throws {
        let unknown = (0..<3_000).map { object(.log(device: unknownDevice($0), first: 1, last: 9)) }
        #expect(try !replica.note(unknown, tables))
        #expect(tables.wanted().count == Replica.wantedUnknownLimit)
        let snapshots = (0..<20_000).map {
            object(.snapshot(device: unknownDevice($0), number: 1, part: 1, parts: 1))
        }
        #expect(try !replica.note(snapshots, tables))
        #expect(tables.wanted().count == Replica.wantedLimit)
    }

    @Test func `names that are not listed any more make room`() throws {
        let gone = (0..<20_000).map { object(.snapshot(device: unknownDevice($0), number: 1, part: 1, parts: 1)) }
        _ = try replica.note(gone, tables)
        let there = object(.log(device: unknownDevice(1), first: 1, last: 9))
        _ = try replica.checkWhole([there], replica.promised(tables), tables)
        #expect(tables.wanted().isEmpty)
        #expect(try replica.note([there], tables))
        #expect(tables.wanted() == [there.name.text])
    }

    @Test func `the largest numbers in names overflow nothing`() throws {
        let last = SyncLimit.number - 1
        let own = replica.device.bytes
        let names: [SyncObjectName] = [
            .log(device: own, first: 1, last: last), .log(device: own, first: 2, last: last),
            .log(device: own, first: last, last: last), .snapshot(device: own, number: last, part: 1, parts: 1),
            .snapshot(device: own, number: last, part: .max, parts: .max),
        ]
        #expect(try replica.note(names.map(object), tables))
        #expect(try replica.readable(tables).count == 1)
        #expect(try replica.needsSnapshot(tables))
        _ = try replica.findMissing(tables)
        _ = try replica.checkWhole(names.map(object), replica.promised(tables), tables)
        var maker = replica
        try maker.write([.erasing([UInt8](repeating: 1, count: 16))], now: 0, tables)
        for _ in 0..<2 { #expect(try maker.makeSnapshot(tables) == 1) }
        let number = try #require(try tables.snapshot?.number)
        #expect(number < 1 << 22)
    }

    private func founder() async throws -> SimulatedDevice {
        let device = try SimulatedDevice(name: "laptop", clock: 0)
        let keys = device.keys
        let recovery = try SecretKeys().publicKeys
        try await device.storage.write(isDurable: true) { tables in
            _ = try Replica.found(keys: keys, recovery: recovery, name: "laptop", tables)
        }
        return device
    }

    @Test func `an object above the limit stops nobody`() async throws {
        let object = SyncObject(name: GreedyPlace.name, size: SyncLimit.objectByteCount + 1)
        let outcome = try await founder().round(GreedyPlace(objects: [object]), isWhole: true)
        #expect(outcome.findings.map(\.kind) == [.forged])
        #expect(outcome.written == 1)
    }

    @Test func `the largest sizes overflow nothing`() async throws {
        #expect(SyncObject(name: GreedyPlace.name, size: .min).size == 0)
        let device = try await founder()
        let own = (1...3).map { SyncObjectName.log(device: device.id.bytes, first: $0, last: $0) }
        for names in [(1...2).map { .log(device: unknownDevice($0), first: 1, last: 5) }, own] {
            let place = GreedyPlace(objects: names.map { SyncObject(name: $0, size: .max) })
            #expect(try await device.round(place, isWhole: true).written == 1)
        }
    }

    @Test(arguments: [0, SyncLimit.number, .max] as [UInt64]) func `a snapshot has no entry of this number`(
        number: UInt64
    ) throws {
        let head = LogHead(sequence: number, hash: replica.group)
        let stamp = Stamp(milliseconds: 1, counter: 0, device: replica.device)
        let change = SyncChange(SyncRecordKey(kind: 2, id: [1]), [SyncField(1, .last): []])
        for item in [SnapshotItem.head(replica.device, head), .change(change, stamp, sequence: number)] {
            var writer = ByteWriter()
            item.write(to: &writer)
            let bytes = writer.bytes
            #expect(throws: SyncError.self) { try SnapshotItem.items(of: bytes, part: 1) }
        }
    }

    @Test func `a snapshot's heads are first, once and in order`() throws {
        let devices = try (1...2 as ClosedRange<UInt8>).map { byte in
            try #require(DeviceID([UInt8](repeating: byte, count: 16)))
        }
        func bytes(_ devices: [DeviceID]) -> [UInt8] {
            var writer = ByteWriter()
            for device in devices {
                SnapshotItem.head(device, LogHead(sequence: 1, hash: replica.group)).write(to: &writer)
            }
            return writer.bytes
        }
        #expect(try SnapshotItem.items(of: bytes(devices), part: 1).count == 2)
        for (devices, part) in [(devices.reversed(), 1), ([devices[0], devices[0]], 1), (devices, 2)] {
            let content = bytes(devices)
            #expect(throws: SyncError.self) { try SnapshotItem.items(of: content, part: UInt32(part)) }
        }
    }

    @Test func `what a snapshot says of entries after its heads is left out`() throws {
        let stamp = Stamp(milliseconds: 1, counter: 0, device: replica.device)
        let record = SyncRecordKey(kind: 2, id: [1])
        let items = [1, 2].map {
            SnapshotItem.change(
                SyncChange(record, [SyncField(1, .last): [UInt8($0)]]), stamp, sequence: UInt64($0))
        }
        try replica.merge(items, upTo: [replica.device: LogHead(sequence: 1, hash: replica.group)], tables)
        #expect(tables.versions(of: record)[SyncField(1, .last)]?.map(\.value) == [[1]])
    }

    @Test func `a snapshot of large values fits into objects`() throws {
        var maker = replica
        let record = SyncRecordKey(kind: 2, id: [UInt8](repeating: 1, count: 16))
        for value in 1...3 as ClosedRange<UInt8> {
            let bytes = [UInt8](repeating: value, count: 2_800_000)
            try maker.write([SyncChange(record, [SyncField(1, .last): bytes])], now: 0, tables)
        }
        #expect(try maker.makeSnapshot(tables) == 4)
        let sizes = tables.outgoing().compactMap { tables.outgoing($0)?.count }
        #expect(sizes.count == 5 && sizes.allSatisfy { $0 <= SyncLimit.objectByteCount })
    }

    @Test func `a stamp of the last day leaves stamps for others`() throws {
        var clock = HybridClock()
        clock.observe(Stamp(milliseconds: Stamp.millisecondLimit - 1, counter: .max, device: replica.device))
        #expect(clock == HybridClock())
        clock.observe(Stamp(milliseconds: HybridClock.followedLimit - 1, counter: .max, device: replica.device))
        let stamp = try clock.tick(now: 0, device: replica.device)
        #expect(stamp.milliseconds == HybridClock.followedLimit && stamp.counter == 0)
    }
}

/// Lists objects that it does not have, and one that nobody may read.
private struct GreedyPlace: SyncTransport {
    static let name = SyncObjectName.membership(hash: [UInt8](repeating: 0xAA, count: 32))
    let objects: [SyncObject]
    let place = MemoryPlace()

    func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let listing = try await place.list(after: cursor)
        return SyncListing(
            objects: listing.objects + objects, cursor: listing.cursor, isWhole: listing.isWhole,
            hasMore: listing.hasMore)
    }

    func read(_ name: SyncObjectName) async throws -> [UInt8] {
        guard name != Self.name else { throw SyncError(code: .tooLarge, message: "The object is too large.") }
        return try await place.read(name)
    }

    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws { try await place.create(name, bytes) }
    func remove(_ name: SyncObjectName) async throws { try await place.remove(name) }
    func changes() -> AsyncStream<Void> { place.changes() }
}
