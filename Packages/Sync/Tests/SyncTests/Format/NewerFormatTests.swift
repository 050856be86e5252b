// SPDX-License-Identifier: MIT

import Security
import SyncWire
import Testing

@testable import Sync

/// What a newer program writes is kept, and what does not fit says nothing; the log goes on after both.
struct NewerFormatTests {
    private let keys: SecretKeys
    private let tables = MemoryTables(.init())
    private var replica: Replica
    /// The content of a title of version 1, without the version.
    private let title: [UInt8] = [5, 0, 1, 2, 1, 7, 1, 2, 1, 9]
    private let record = SyncRecordKey(kind: 2, id: [7])

    init() throws {
        keys = try SecretKeys()
        replica = try Replica.found(keys: keys, recovery: try SecretKeys().publicKeys, name: "laptop", tables)
    }

    /// A log of these contents, as another program writes it.
    private func segment(_ contents: [[UInt8]]) throws -> (SyncObjectName, [UInt8]) {
        let epoch = try #require(replica.roster.writingEpoch)
        let key = try #require(replica.roster.ring.keys[epoch])
        let box = try Crypto.box(Crypto.derive(.entry, from: key, salt: replica.device.bytes))
        var head = try LogHead.start(group: replica.group, device: replica.device)
        var entries: [SealedEntry] = []
        for content in contents {
            let context = replica.group.bytes + epoch.bytes + replica.device.bytes + [UInt8(head.sequence + 1)]
            let sealed = try Crypto.seal(Padding.pad(content), with: box, context: context)
            entries.append(SealedEntry(epoch: Array(epoch.bytes.prefix(8)), box: sealed))
            head = try head.appending(entries[entries.count - 1])
        }
        let message = head.message(group: replica.group, device: replica.device)
        let segment = LogSegment(
            device: replica.device, first: 1, entries: entries,
            signature: try Crypto.sign(.head, message, with: keys.signing))
        return (.log(device: replica.device.bytes, first: 1, last: segment.last), segment.encoded)
    }

    @Test func `an entry of a newer program is kept and passed over`() throws {
        let (name, bytes) = try segment([[2] + title, [1] + title])
        var replica = replica
        #expect(try replica.receive(name, bytes, tables) == .done)
        #expect(tables.entries(in: .newer).map(\.sequence) == [1])
        #expect(tables.versions(of: record)[SyncField(1, .last)]?.map(\.sequence) == [2])
        #expect(try replica.makeSnapshot(tables) == 0)
    }

    @Test func `a kept entry is merged once a program can read it`() async throws {
        let (name, bytes) = try segment([[1] + title])
        var replica = replica
        #expect(try replica.receive(name, bytes, tables) == .done)
        // An earlier program kept the entry and merged nothing of it.
        _ = tables.removeVersions(of: replica.device, after: 0)
        tables.set(.newer, of: replica.device, 1)
        #expect(tables.versions(of: record).isEmpty)
        try replica.readAgain(.newer, tables)
        #expect(tables.entries(in: .newer).isEmpty)
        #expect(tables.versions(of: record)[SyncField(1, .last)]?.map(\.sequence) == [1])
    }

    @Test func `an unknown kind and field are merged by the rule in the tag`() throws {
        let change: [UInt8] = [1, 0xF0, 0xA2, 0x04, 1, 7, 1, 0xF1, 0xA2, 0x04, 1]
        let (name, bytes) = try segment([[1, 6, 0] + change + [8], [1, 5, 0] + change + [9]])
        var replica = replica
        #expect(try replica.receive(name, bytes, tables) == .done)
        let fields = tables.versions(of: SyncRecordKey(kind: 70_000, id: [7]))
        let (field, versions) = try #require(fields.first)
        #expect(field.rule == .first && field.ranked(versions).map(\.value) == [[9]])
    }

    @Test(
        arguments: [
            // The fields of a change, or changes, twice or out of order; a number in a longer form; bytes at the end.
            [1, 5, 0, 1, 2, 1, 7, 2, 2, 1, 9, 2, 1, 9], [1, 5, 0, 2, 2, 1, 7, 0, 2, 1, 7, 0],
            [1, 5, 0, 1, 0x82, 0, 1, 7, 1, 2, 1, 9], [1, 5, 0, 1, 2, 1, 7, 1, 2, 1, 9, 0],
            // An id of no bytes; a count without end; the year 2200.
            [1, 5, 0, 1, 2, 0, 1, 2, 1, 9], [1, 5, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1],
            [1, 0x80, 0xD0, 0xC6, 0xCC, 0x9E, 0xD3, 1, 0, 0],
        ] as [[UInt8]]) func `an entry that does not follow the form says nothing`(content: [UInt8]) throws
    {
        let (name, bytes) = try segment([content, [1] + title])
        var replica = replica
        #expect(try replica.receive(name, bytes, tables) == .done)
        #expect(tables.entries(in: .invalid).map(\.sequence) == [1])
        #expect(tables.versions(of: record)[SyncField(1, .last)]?.map(\.sequence) == [2])
    }

    @Test func `a content has at most three mebibytes`() throws {
        func content(_ count: Int) -> [UInt8] {
            var writer = ByteWriter()
            writer.write(fixed: [1, 5, 0, 1, 2, 1, 7, 1, 2])
            writer.write([UInt8](repeating: 0, count: count))
            return writer.bytes
        }
        let rest = content(3_000_000).count - 3_000_000
        let most = content(EntryContent.byteLimit - rest)
        #expect(try EntryContent(most, device: replica.device).changes.count == 1)
        let over = content(EntryContent.byteLimit - rest + 1)
        let error = #expect(throws: SyncError.self) { try EntryContent(over, device: replica.device) }
        #expect(error?.code == .invalid)
    }

    @Test(arguments: ["PSM2", "PSL2", "PSS2"]) func `an object of a newer program asks for an update`(magic: String) {
        let bytes = Array(magic.utf8) + [UInt8](repeating: 0, count: 200)
        let error = #expect(throws: SyncError.self) {
            switch magic {
            case "PSM2": _ = try MembershipRecord(bytes)
            case "PSL2": _ = try LogSegment(bytes)
            default: _ = try SnapshotPart(bytes)
            }
        }
        #expect(error?.code == .newer)
    }
}
