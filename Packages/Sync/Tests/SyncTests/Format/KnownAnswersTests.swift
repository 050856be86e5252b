// SPDX-License-Identifier: MIT

import Digests
import Foundation
import Security
import SyncWire
import Testing

@testable import Sync

/// Compares the package with `known_answers.txt`, which `known_answers.py` computed with hashlib and PyPI `cryptography`.
struct KnownAnswersTests {
    private static let answers: [String: String] = {
        let file = URL(filePath: #filePath).appending(path: "../../Fixtures/known_answers.txt").standardized
        let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
        return Dictionary(lines.map { $0.split(separator: " ") }.map { (String($0[0]), String($0[1])) }) { $1 }
    }()

    private func bytes(_ name: String) throws -> [UInt8] {
        let text = try #require(Self.answers[name])
        return try #require(Hexadecimal.bytes(text))
    }

    private static func names(_ prefix: String) -> [String] { answers.keys.filter { $0.hasPrefix(prefix) }.sorted() }

    private func keys(_ signing: UInt8, _ agreement: UInt8) throws -> SecretKeys {
        let bytes = [UInt8](repeating: signing, count: 32) + [UInt8](repeating: agreement, count: 32)
        return try SecretKeys(stored: Sensitive(bytes))
    }

    @Test(arguments: names("derive-")) func `a label derives the known key`(name: String) throws {
        let label = try #require(Crypto.Label(rawValue: "parley sync 1 " + name.dropFirst("derive-".count)))
        let key = try SymmetricKey([UInt8](0..<32))
        let derived = try Crypto.derive(label, from: key, salt: [UInt8](0xA0..<0xB0)).withUnsafeBytes { Array($0) }
        #expect(try derived == bytes(name))
    }

    @Test(arguments: names("padded-")) func `a padded length is the paper's`(name: String) throws {
        let length = try #require(Int(name.dropFirst("padded-".count)))
        let padded = try #require(Self.answers[name].flatMap { Int($0) })
        #expect(Padding.paddedCount(length) == padded)
    }

    @Test(arguments: names("number-")) func `a number is its shortest LEB128`(name: String) throws {
        let number = try #require(UInt64(name.dropFirst("number-".count)))
        var writer = ByteWriter()
        writer.write(number)
        #expect(try writer.bytes == bytes(name))
    }

    @Test func `a device's id is the known one`() throws {
        #expect(try keys(0x55, 0x66).publicKeys.device.bytes == bytes("device"))
    }

    @Test func `a record of devices opens as another program made it`() throws {
        let (device, phrase) = (try keys(0x55, 0x66), try keys(0x77, 0x78))
        let record = try MembershipRecord(bytes("record"))
        #expect(try record.hash.bytes == bytes("group"))
        #expect(try record.context() == bytes("context"))
        #expect(try record.commitment == bytes("commitment"))
        #expect(record.change == .founding(device.publicKeys, recovery: phrase.publicKeys))
        #expect(record.isSigned(by: device.publicKeys.signing))
        let id = try device.publicKeys.device
        for (party, keys) in [(MembershipRecord.Party.device(id), device), (.recovery, phrase)] {
            let key = try #require(try record.key(for: party, opening: keys.agreement))
            #expect(key.withUnsafeBytes { Array($0) } == [UInt8](repeating: 0x99, count: 32))
            #expect(try record.openSecrets(with: key).names == [id: "Küche"])
        }
    }

    @Test func `a log has the known heads and content`() throws {
        let (replica, tables) = try replica()
        let segment = try LogSegment(bytes("log"))
        var head = try LogHead.start(group: replica.group, device: replica.device)
        #expect(try head.hash.bytes == bytes("head-0"))
        for entry in segment.entries {
            head = try head.appending(entry)
            #expect(try head.hash.bytes == bytes("head-\(head.sequence)"))
        }
        var receiver = replica
        let name = SyncObjectName.log(device: replica.device.bytes, first: 1, last: 2)
        #expect(try receiver.receive(name, bytes("log"), tables) == .done)
        try expectTitle(tables, count: 2)
    }

    @Test func `a snapshot opens as another program made it`() throws {
        let (replica, tables) = try replica()
        let position = SnapshotPart.Position(
            group: replica.group, device: replica.device, number: 7, part: 1, parts: 1)
        let items = try #require(try replica.open(bytes("snapshot"), at: position))
        let head = LogHead(sequence: 2, hash: try #require(Hash(bytes("head-2"))))
        #expect(items.first == .head(replica.device, head))
        try replica.merge(items, upTo: [replica.device: head], tables)
        try expectTitle(tables, count: 1)
    }

    private func replica() throws -> (Replica, MemoryTables) {
        let tables = MemoryTables(.init())
        try Replica.join(group: try #require(Hash(bytes("group"))), founding: bytes("record"), tables)
        return (try Replica(keys: keys(0x55, 0x66), tables), tables)
    }

    private func expectTitle(_ tables: MemoryTables, count: Int) throws {
        let record = SyncRecordKey(kind: 2, id: [UInt8](repeating: 0x0C, count: 16))
        let field = SyncField(1, .last)
        let versions = field.ranked(tables.versions(of: record)[field] ?? [])
        #expect(versions.map(\.stamp.counter) == [2, 1].prefix(count).map { UInt32($0) })
        #expect(versions.first?.stamp.milliseconds == 1_700_000_000_000)
        #expect(versions.first?.value == Array("A title".utf8))
    }
}
