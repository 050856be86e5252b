// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Persistence

/// A list whose front was used least recently.
private struct Model {
    struct Entry {
        let key: String
        let bytes: [UInt8]
        let storedAt: Date
    }

    let maximumBytes: Int
    let maximumAge: Double
    var entries: [Entry] = []

    var size: Int { entries.reduce(0) { $0 + $1.key.utf8.count + $1.bytes.count } }

    mutating func entry(_ key: String, _ now: Date) -> [UInt8]? {
        guard let index = entries.firstIndex(where: { $0.key == key }), isFresh(entries[index], now) else { return nil }
        entries.append(entries.remove(at: index))
        return entries.last?.bytes
    }

    mutating func set(_ bytes: [UInt8], _ key: String, _ now: Date) {
        entries = entries.filter { $0.key != key && isFresh($0, now) }
        while size + bytes.count + key.utf8.count > maximumBytes { entries.removeFirst() }
        entries.append(Entry(key: key, bytes: bytes, storedAt: now))
    }

    private func isFresh(_ entry: Entry, _ now: Date) -> Bool {
        let age = now.timeIntervalSince(entry.storedAt)
        return age >= 0 && age <= maximumAge
    }
}

@Suite struct CacheModelTests {
    @Test(arguments: 0..<4) func randomUseIsAsTheModelSays(round: Int) async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let time = ManualTime()
        func open() async throws -> CacheStore {
            try await CacheStore(
                at: folder.database,
                configuration: .init(maximumBytes: 400, maximumAge: .seconds(100), hitsPerWrite: 5),
                now: { time.now.wall })
        }
        var cache = try await open()
        var model = Model(maximumBytes: 400, maximumAge: 100)
        for step in 0..<500 {
            let here: Comment = "seed \(seed), round \(round), step \(step)"
            let key = String(repeating: "ü", count: Int.random(in: 0..<12, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                #expect(try await cache.entry(for: key)?.value == model.entry(key, time.now.wall), here)
            case 8..<16:
                let bytes = (0..<Int.random(in: 0..<120, using: &random)).map { UInt8($0) }
                try await cache.set(bytes, for: key)
                model.set(bytes, key, time.now.wall)
                #expect(try await cache.usage() == CacheUsage(entries: model.entries.count, bytes: model.size), here)
            case 16:
                try await cache.remove(key)
                model.entries.removeAll { $0.key == key }
            case 17:
                await cache.close()
                cache = try await open()
            default:
                let seconds = Int64.random(in: -2...20, using: &random)
                time.advance(seconds * 1_000)
            }
        }
        await cache.close()
        let database = try await Database(at: folder.database)
        let keys = try await database.read { connection in
            try connection.query("SELECT key FROM cache_entry ORDER BY used", as: String.self)
        }
        #expect(keys == model.entries.map(\.key), "seed \(seed)")
        let sums = try await database.read { connection in
            try connection.first(
                """
                SELECT sum(octet_length) FROM (SELECT length(CAST(key AS BLOB)) + length(metadata) + length(bytes)
                    AS octet_length FROM cache_entry JOIN cache_content ON entry = id)
                """, as: Int?.self)
        }
        #expect(sums ?? 0 == model.size, "seed \(seed)")
    }
}
