// SPDX-License-Identifier: MIT

import Concurrency
import Persistence
import Security
import Testing

@testable import Sync

/// The tables in SQLite do what the tables in memory do, on which the simulation runs.
struct TablesTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `both tables hold the same`(seed: UInt64) async throws {
        let database = try await Database.inMemory()
        try await database.migrate(SyncSchema.migrations)
        try await database.write { connection in
            var script = Script(generator: SplitMix64(seed: seed))
            let (tables, memory) = (SQLiteSyncTables(connection, connection), MemoryTables(.init()))
            for step in 0..<200 {
                let action = script.next()
                let results = (try action.run(tables), try action.run(memory))
                #expect(results.0 == results.1, "seed \(seed), step \(step): \(action)")
            }
            let (stored, expected) = (try Script.dump(tables), try Script.dump(memory))
            #expect(stored == expected, "seed \(seed)")
        }
        await database.close()
    }
}

/// Random calls of tables, each with a result as text.
private struct Script {
    struct Action: CustomStringConvertible {
        let description: String
        let run: (any SyncTables) throws -> String
    }

    var generator: SplitMix64
    private let devices = (1...3).compactMap { DeviceID([UInt8](repeating: UInt8($0), count: 16)) }
    private let hashes = (1...3).compactMap { Hash([UInt8](repeating: $0, count: 32)) }
    private let containers = (1...4).map { [UInt8](repeating: UInt8($0), count: 16) }

    init(generator: SplitMix64) { self.generator = generator }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func device() -> DeviceID { devices[number(0...2)] }
    private mutating func bytes() -> [UInt8] { (0..<number(0...5)).map { _ in UInt8(number(0...255)) } }

    private mutating func record() -> SyncRecordKey {
        let rest: [UInt8] = number(0...2) == 0 ? [] : [UInt8(number(0...255)), 0xFF]
        return SyncRecordKey(kind: UInt32(number(0...3)), id: containers[number(0...3)] + rest)
    }

    mutating func next() -> Action {
        let (device, record, value) = (device(), record(), bytes())
        let sequence = number(0...9) == 0 ? UInt64.max : UInt64(number(1...12))
        let field = SyncField(UInt32(number(0...2)), number(0...1) == 0 ? .last : .first)
        let hash = hashes[number(0...2)]
        switch number(0...15) {
        case 0:
            let key = SyncSetting.allCases[number(0...SyncSetting.allCases.count - 1)]
            let value = number(0...2) == 0 ? nil : value
            return Action(description: "set \(key)") {
                try $0.set(key, value); return "\(try $0.value(key) ?? [])"
            }
        case 1:
            return Action(description: "record of devices") {
                try $0.insertMembership(value, hash: hash); return ""
            }
        case 2, 3:
            let state = LogState(
                head: LogHead(sequence: UInt64(number(0...20)), hash: hash), base: UInt64(number(0...5)),
                limit: sequence, confirmed: 3, content: 4)
            return Action(description: "log") {
                try $0.set(state, for: device); return "\(try $0.logs() == [:])"
            }
        case 4, 5, 6:
            let entry = StoredEntry(
                sequence: UInt64(number(1...12)), sealed: SealedEntry(epoch: value, box: value), hash: hash,
                state: StoredEntry.State(rawValue: Int64(number(0...4))) ?? .merged)
            return Action(description: "entry") {
                try $0.insert(entry, of: device)
                return "\(try $0.entries(of: device, 2...sequence.clamped(to: 2)))"
            }
        case 7:
            let last = UInt64(number(3...6))
            return Action(description: "remove entries") {
                try $0.removeEntries(of: device, 3...last); return ""
            }
        case 8:
            return Action(description: "refuse") {
                try $0.set(.refused, of: device, UInt64(3)); return "\(try $0.entries(in: .refused))"
            }
        case 9:
            return Action(description: "remove versions") { "\(try $0.removeVersions(of: device, after: sequence))" }
        case 10:
            let container = containers[number(0...3)]
            return Action(description: "erase") {
                let records = try $0.records(ofContainer: container)
                try $0.removeVersions(ofContainer: container)
                return "\(records) \(try $0.erasedContainers().sorted { $0.lexicographicallyPrecedes($1) })"
            }
        case 11:
            return Action(description: "changed") {
                try $0.markChanged(record); return "\(try $0.changed(after: 0, limit: 100).map(\.record))"
            }
        case 12:
            let name = "name \(number(0...3))"
            let value = number(0...2) == 0 ? nil : value
            return Action(description: "objects") {
                try $0.setWanted(name, value != nil)
                try $0.setOutgoing(name, value)
                return "\(try $0.wanted().sorted())"
            }
        default:
            var fields = [field: value]
            if number(0...1) == 0 { fields[SyncField(2, .last)] = bytes() }
            let change = SyncChange(record, number(0...9) == 0 ? [:] : fields)
            let sequence = UInt64(number(1...12))
            // One entry has one stamp.
            let stamp = Stamp(milliseconds: sequence * 7 % 5, counter: UInt32(sequence), device: device)
            return Action(description: "change") {
                "\(try $0.insert(change, stamp, sequence: sequence)) \(try $0.insert(change, stamp, sequence: sequence))"
            }
        }
    }

    static func dump(_ tables: any SyncTables) throws -> [String] {
        var lines = [
            "\(try tables.membershipRecords().sorted { $0.lexicographicallyPrecedes($1) })",
            "\(try tables.logs().sorted { $0.key < $1.key })", "\(try tables.wanted().sorted())",
            "\(try tables.outgoing().sorted().map { try tables.outgoing($0) })",
            "\(try tables.changed(after: 2, limit: 5).map(\.record))",
        ]
        var last: SyncRecordKey?
        while case let records = try tables.records(after: last, limit: 3), !records.isEmpty {
            for record in records {
                let fields = try tables.versions(of: record).sorted { $0.key < $1.key }
                lines.append("\(record) \(fields.map { "\($0.key) \($0.key.ranked($0.value))" })")
            }
            last = records.last
        }
        return lines
    }
}

extension UInt64 {
    fileprivate func clamped(to least: UInt64) -> UInt64 { Swift.max(self, least) }
}
