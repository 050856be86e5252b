// SPDX-License-Identifier: MIT

import Concurrency
import Digests
import Foundation
import Security
import SyncTestSupport
import SyncWire
import TestKit
import Testing

@testable import Sync

/// `Fixtures/read_log.py`, which was written from docs/sync-format.md alone, reads what this package wrote.
@Suite(.enabled(if: PythonReader.isThere, "there is no .venv-peers: run Scripts/test-peers"))
struct PythonReaderTests {
    @Test func `another program comes to the same state`() async throws {
        let group = try await WrittenGroup()
        let names = try await group.objects().map(\.name)
        #expect(names.contains { if case .snapshot = $0 { true } else { false } })
        #expect(names.contains { if case .log(_, let first, _) = $0 { first > 1 } else { false } })
        for device in [group.laptop, group.phone] {
            let state = try await PythonReader.read(group, as: device).state
            let expected = try device.formatState()
            #expect(state == expected)
        }
    }

    @Test func `another program notices a flipped bit in any object`() async throws {
        let group = try await WrittenGroup()
        let result = try await PythonReader.read(group, as: group.laptop, flips: true)
        let line = try #require(result.flips)
        let flips = try JSONDecoder().decode(Flips.self, from: Data(line.utf8))
        #expect(flips.unnoticed.isEmpty)
        for object in try await group.objects() where !flips.checked.contains(object.name.text) {
            switch object.name {
            case .log(_, let first, _): #expect(first > 1)
            case .snapshot(let device, _, _, _): #expect(device == group.tablet.id.bytes)
            default: Issue.record("\(object.name) was not checked")
            }
        }
    }

    private struct Flips: Decodable {
        let checked: [String]
        let unnoticed: [String]
    }

    @Test func `a removed device reads nothing that was written later`() async throws {
        let group = try await WrittenGroup()
        let secret = Hexadecimal.text(WrittenGroup.secret)
        // A place that works with it keeps every object for it.
        let kept = try await PythonReader.read(group, as: group.laptop, isEverything: true).state
        let expected = try group.laptop.formatState()
        #expect(kept == expected && kept.contains(secret))
        let removed = try await PythonReader.read(group, as: group.tablet, isEverything: true).state
        #expect(removed.contains(Hexadecimal.text(WrittenGroup.earlier)) && !removed.contains(secret))
        #expect(removed.contains("\(group.laptop.id.hexadecimal) \(group.firstSecretEntry)"))
        #expect(removed.contains(#""writingEpoch":null"#))
    }
}

enum PythonReader {
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    private static var python: String {
        tests.appending(path: "../../../../../.venv-peers/bin/python").standardized.path
    }
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// Reads the group's objects with one device's keys.
    static func read(
        _ group: WrittenGroup, as device: SimulatedDevice, isEverything: Bool = false, flips: Bool = false
    ) async throws -> (state: String, flips: String?) {
        let folder = try TemporaryFolder()
        let names = Set(try await group.objects().map(\.name))
        for (name, bytes) in group.place.everything.withLock({ $0 }) where isEverything || names.contains(name) {
            _ = try folder.write(bytes, to: name.text)
        }
        let script = tests.appending(path: "../Fixtures/read_log.py").standardized.path
        let keys = try device.keys.stored.withExposed { Hexadecimal.text($0) }
        let arguments = ["-B", script, folder.path, keys, "\(group.group)"] + (flips ? ["--flips"] : [])
        let result = try await ChildProcess(python, arguments, errors: .captured).finished()
        guard result.code == 0 else { throw Refused(description: result.errors) }
        let lines = result.output.split(separator: "\n").map(String.init)
        return (try #require(lines.first), flips ? lines.last : nil)
    }
}

/// Three devices that wrote at once, and one of which was removed while it wrote.
struct WrittenGroup {
    static let earlier = Array("written before the removal".utf8)
    static let secret = Array("written after the removal".utf8)

    let place = KeepingPlace()
    let laptop: SimulatedDevice
    let phone: SimulatedDevice
    let tablet: SimulatedDevice
    let group: Hash
    /// The number of the first entry with ``secret`` in the laptop's log.
    let firstSecretEntry: UInt64

    private static let container = [UInt8](repeating: 0xC0, count: 16)
    private static let erased = [UInt8](repeating: 0xE0, count: 16)

    init() async throws {
        (laptop, phone, tablet) = (
            try SimulatedDevice(name: "laptop", clock: 1_700_000_000_000),
            try SimulatedDevice(name: "phone", clock: 1_600_000_000_000),
            try SimulatedDevice(name: "tablet", clock: 1_800_000_000_000)
        )
        let (keys, recovery) = (laptop.keys, try SecretKeys().publicKeys)
        group = try await laptop.storage.write(isDurable: true) { tables in
            try Replica.found(keys: keys, recovery: recovery, name: "Küche", tables).group
        }
        for new in [phone, tablet] {
            let (keys, name) = (new.keys.publicKeys, new.name)
            let founding = try await laptop.replica.write { replica, tables in
                try replica.change(.addition(keys, name: name), tables)
                return replica.roster.graph.records[replica.group]?.bytes ?? []
            }
            try await new.storage.write(isDurable: true) { [group] in
                try Replica.join(group: group, founding: founding, $0)
            }
        }
        try await Self.exchange([laptop, phone, tablet], place)

        // All at once, and several times, so that titles have a history.
        for round in 0..<4 {
            for device in [laptop, phone, tablet] {
                try await device.write([Self.title("\(device.name) \(round)"), Self.message("\(device.name) \(round)")])
                try await device.write([Self.message("gone", in: Self.erased, kind: 70_000)])
            }
            if round == 2 { try await Self.exchange([laptop, phone, tablet], place) }
        }
        try await tablet.write([Self.title(String(decoding: Self.earlier, as: UTF8.self))])
        try await Self.exchange([laptop, phone, tablet], place)
        try await phone.write([.erasing(Self.erased)])
        try await Self.exchange([laptop, phone, tablet], place)

        // The tablet writes on while it is removed.
        let removed = tablet.id
        try await tablet.write([Self.title("by a removed device")])
        try await laptop.replica.write { try $0.change(.revocation(removed), $1) }
        firstSecretEntry = try await laptop.replica.read { try $1.logs()[$0.device]?.head.sequence ?? 0 } + 1
        try await laptop.write([Self.title("after", value: Self.secret)])
        try await Self.exchange([tablet, laptop, phone], place)
        try await phone.write([Self.title("after", value: Self.secret), Self.message("phone after")])
        try await Self.exchange([laptop, phone, tablet], place)
    }

    func objects() async throws -> [SyncObject] { try await place.list(after: nil).objects }

    private static func exchange(_ devices: [SimulatedDevice], _ place: KeepingPlace) async throws {
        for _ in 0..<2 {
            for device in devices { _ = try await device.round(place, isWhole: true) }
        }
    }

    private static func title(_ text: String, value: [UInt8]? = nil) -> SyncChange {
        SyncChange(
            SyncRecordKey(kind: 2, id: container),
            [SyncField(1, .last): value ?? Array(text.utf8), SyncField(70_000, .last): []])
    }

    private static func message(_ text: String, in container: [UInt8] = container, kind: UInt32 = 3) -> SyncChange {
        // A message's id is that of its text, padded.
        let id = container + Array((text + String(repeating: " ", count: 16)).utf8.prefix(16))
        return SyncChange(SyncRecordKey(kind: kind, id: id), [SyncField(1, .first): Array(text.utf8)])
    }
}

/// A place that keeps what was removed.
final class KeepingPlace: SyncTransport {
    private let place = MemoryPlace()
    let everything = Guarded<[SyncObjectName: [UInt8]]>([:])

    func list(after cursor: SyncCursor?) async throws -> SyncListing { try await place.list(after: cursor) }
    func read(_ name: SyncObjectName) async throws -> [UInt8] { try await place.read(name) }
    func remove(_ name: SyncObjectName) async throws { try await place.remove(name) }
    func changes() -> AsyncStream<Void> { place.changes() }

    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        try await place.create(name, bytes)
        everything.withLock { $0[name] = bytes }
    }
}

extension DeviceID {
    fileprivate var hexadecimal: String { Hexadecimal.text(bytes) }
}

extension SimulatedDevice {
    /// The state as `read_log.py` prints it.
    fileprivate func formatState() throws -> String {
        let tables = MemoryTables(storage.state)
        let roster = try Replica(keys: keys, tables).roster
        let erased = Set(tables.state.fields.keys.filter { $0.kind == SyncRecordKey.erasure }.map(\.id))
        let records = tables.records(after: nil, limit: .max).filter { record in
            record.kind == SyncRecordKey.erasure
                || record.kind > SyncRecordKey.acknowledgement && erased.isDisjoint(with: record.containers)
        }
        let state: [String: Any] = [
            "devices": roster.membership.members.sorted { $0.key < $1.key }.map { id, member -> [String: Any] in
                [
                    "id": id.hexadecimal, "last": member.lastSequence.map { NSNumber(value: $0) } ?? NSNull(),
                    "name": roster.ring.names[id] ?? "",
                ]
            },
            "records": records.map { record -> [String: Any] in
                [
                    "kind": record.kind, "id": Hexadecimal.text(record.id),
                    "fields": tables.versions(of: record).sorted { $0.key < $1.key }.map { field, versions in
                        ["tag": field.tag, "versions": field.ranked(versions).map(\.formatState)] as [String: Any]
                    },
                ]
            },
            "missing": [String](),
            "withoutKey": tables.entries(in: .withoutKey).map { "\($0.device.hexadecimal) \($0.sequence)" },
            "writingEpoch": roster.writingEpoch.map { "\($0)" } ?? NSNull(),
        ]
        let data = try JSONSerialization.data(withJSONObject: state, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}

extension SyncVersion {
    fileprivate var formatState: [String: Any] {
        [
            "milliseconds": stamp.milliseconds, "counter": stamp.counter, "device": stamp.device.hexadecimal,
            "sequence": sequence, "value": Hexadecimal.text(value),
        ]
    }
}
