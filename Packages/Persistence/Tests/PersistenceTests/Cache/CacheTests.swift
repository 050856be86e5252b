// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import TestKit
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(5))) struct CacheTests {
    private let folder: TemporaryFolder
    private let time = ManualTime()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func cache(bytes: Int = 100, hitsPerWrite: Int = 64) async throws -> CacheStore {
        try await CacheStore(
            at: folder.database,
            configuration: .init(maximumBytes: bytes, maximumAge: .seconds(60), hitsPerWrite: hitsPerWrite),
            now: { [time] in time.now.wall })
    }

    /// What the file says, past the cache: the keys in the order of their use.
    private func keysByUse() async throws -> [String] {
        let database = try await Database(at: folder.database, configuration: .init().with { $0.isReadOnly = true })
        return try await database.read {
            try $0.query("SELECT key FROM cache_entry ORDER BY used", as: String.self)
        }
    }

    @Test func whatIsStoredComesBackWithItsMetadata() async throws {
        let cache = try await cache()
        #expect(try await cache.entry(for: "a") == nil)
        try await cache.set([1, 2], metadata: [3], for: "a")
        let entry = CacheEntry(value: [1, 2], metadata: [3], storedAt: time.now.wall)
        #expect(try await cache.entry(for: "a") == entry)
        try await cache.set([], for: "a")
        #expect(try await cache.entry(for: "a")?.value == [])
        await cache.close()
        #expect(await code { _ = try await cache.entry(for: "a") } == .closed)
        let again = try await self.cache()
        #expect(try await again.entry(for: "a")?.metadata == [])
        try await again.remove("a")
        #expect(try await again.entry(for: "a") == nil)
    }

    @Test func `what is cleared is in no file beside another program`() async throws {
        let (cache, other) = (try await cache(), try await cache())
        try await cache.set(Array("planted".utf8), for: "a")
        try await cache.removeAll()
        #expect(try await other.entry(for: "a") == nil)
        for name in try folder.names() {
            #expect(!String(decoding: try folder.bytes(name), as: UTF8.self).contains("planted"), "\(name)")
        }
    }

    @Test func `all entries are read, the newest first, without those that have expired`() async throws {
        let cache = try await cache()
        for key in ["a", "b", "c"] {
            try await cache.set(Array(key.utf8), for: key)
            time.advance(25_000)
        }
        let read = Guarded<[[UInt8]]>([])
        try await cache.forEach { entry in read.withLock { $0.append(entry.value) } }
        #expect(read.withLock { $0 } == [Array("c".utf8), Array("b".utf8)])
    }

    @Test func `room is made in the caller's order, and not beyond it`() async throws {
        let cache = try await cache(bytes: 100)
        for key in ["a", "b", "c", "d"] { try await cache.set([UInt8](repeating: 0, count: 19), for: key) }
        _ = try await cache.entry(for: "a")
        #expect(
            try await cache.makeRoom(for: 20) { _ in
                Issue.record("it is not full")
                return []
            })
        let seen = Guarded<[CacheItem]>([])
        let made = try await cache.makeRoom(for: 50) { items in
            seen.withLock { $0 = items }
            return [items[2], items[0], items[1]]
        }
        #expect(made && seen.withLock { $0.map(\.key) } == ["b", "c", "d", "a"])
        #expect(seen.withLock { $0.allSatisfy { $0.size == 20 && $0.storedAt == time.now.wall } })
        #expect(try await keysByUse() == ["c", "a"])
        #expect(try await !cache.makeRoom(for: 90) { [$0[0]] })
        #expect(try await keysByUse() == ["a"])
        #expect(try await !cache.makeRoom(for: 101) { $0 })
        #expect(try await keysByUse() == ["a"])
        // Expired entries go without a decision.
        time.advance(61_000)
        #expect(try await cache.makeRoom(for: 90) { _ in [] })
        #expect(try await keysByUse().isEmpty)
        await cache.close()
    }

    @Test func theDefaultsAreAHundredMegabytesAndAWeek() {
        let configuration = CacheStore.Configuration()
        #expect(configuration.maximumBytes == 100_000_000)
        #expect(configuration.maximumAge == .seconds(604_800))
    }

    @Test func everyByteCountsAndTheLeastRecentlyUsedGoes() async throws {
        let cache = try await cache()
        // 10 bytes each, one of them the key's, or both of "ä".
        for key in ["a", "b", "c", "d"] {
            try await cache.set(.init(repeating: 0, count: 6), metadata: [1, 2, 3], for: key)
        }
        try await cache.set(.init(repeating: 0, count: 58), for: "ä")
        #expect(try await cache.usage() == CacheUsage(entries: 5, bytes: 100))
        _ = try await cache.entry(for: "a")
        try await cache.set([], for: "e")
        #expect(try await cache.usage() == CacheUsage(entries: 5, bytes: 91))
        #expect(try await cache.entry(for: "b") == nil)
        #expect(try await cache.entry(for: "a") != nil)
        try await cache.set([], for: "d")
        #expect(try await cache.usage() == CacheUsage(entries: 5, bytes: 82))
        try await cache.removeAll()
        #expect(try await cache.usage() == CacheUsage(entries: 0, bytes: 0))
    }

    @Test func anEntryThatCannotFitIsRefusedAndTheFormerOneStays() async throws {
        let cache = try await cache()
        try await cache.set([7], for: "a")
        #expect(await code { try await cache.set(.init(repeating: 0, count: 100), for: "a") } == .tooLarge)
        #expect(try await cache.entry(for: "a")?.value == [7])
        try await cache.set(.init(repeating: 0, count: 99), for: "b")
        #expect(try await cache.usage() == CacheUsage(entries: 1, bytes: 100))
    }

    @Test func ageEndsAnEntryAndAClockThatIsSetBackToo() async throws {
        let cache = try await cache()
        try await cache.set([1], for: "a")
        time.advance(60_000)
        #expect(try await cache.entry(for: "a") != nil)
        time.advance(1)
        #expect(try await cache.entry(for: "a") == nil)
        #expect(try await cache.usage().entries == 1)
        try await cache.set([1], for: "b")
        #expect(try await cache.usage().entries == 1)
        time.advance(-1)
        #expect(try await cache.entry(for: "b") == nil)
        try await cache.set([1], for: "c")
        #expect(try await cache.usage().entries == 1)
    }

    @Test func hitsAreWrittenTogether() async throws {
        let cache = try await cache(hitsPerWrite: 3)
        for key in ["a", "b", "c", "d"] { try await cache.set([1], for: key) }
        _ = try await cache.entry(for: "b")
        _ = try await cache.entry(for: "a")
        _ = try await cache.entry(for: "b")
        #expect(try await keysByUse() == ["a", "b", "c", "d"])
        _ = try await cache.entry(for: "c")
        #expect(try await keysByUse() == ["d", "a", "b", "c"])
        _ = try await cache.entry(for: "d")
        await cache.close()
        #expect(try await keysByUse() == ["a", "b", "c", "d"])
    }

    @Test func twoCachesOnOneFileKeepItsBound() async throws {
        let caches = [try await cache(bytes: 1_000), try await cache(bytes: 1_000)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let key = "\(index % 40)"
                    try await caches[index % 2].set(.init(repeating: UInt8(index % 40), count: 60), for: key)
                    if let entry = try await caches[(index + 1) % 2].entry(for: key) {
                        #expect(entry.value == .init(repeating: UInt8(index % 40), count: 60))
                    }
                }
            }
            try await group.waitForAll()
        }
        let usage = try await caches[0].usage()
        #expect(usage.bytes <= 1_000 && usage.bytes > 900)
        #expect(try await caches[1].usage() == usage)
    }

    @Test func aFileThatCannotBeUsedIsSetAside() async throws {
        let noise = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        try folder.write(noise, to: "test.sqlite")
        let first = try await cache()
        try await first.set([1], for: "a")
        await first.close()
        let kept = try #require(try folder.names().first { $0.contains("damaged") })
        #expect(try folder.bytes(kept) == noise)
        // A sound file of a newer version is no use either.
        let newer = try await Database(at: folder.database)
        try await newer.write { connection in
            try connection.execute(
                "INSERT INTO schema_migration (position, name, checksum, applied_at) VALUES (1, 'cache 2', 'x', 0)")
        }
        await newer.close()
        let second = try await cache()
        #expect(try await second.entry(for: "a") == nil)
        #expect(try folder.names().count { $0.contains("damaged") } == 2)
    }

    @Test func damageThatShowsWhileItIsOpenStartsItAnewForEveryone() async throws {
        let caches = [try await cache(bytes: 1_000_000), try await cache(bytes: 1_000_000)]
        for index in 0..<50 { try await caches[0].set(.init(repeating: 1, count: 5_000), for: "\(index)") }
        for cache in caches { await cache.close() }
        var bytes = try folder.bytes("test.sqlite")
        // The schema's page stays; the tables behind it become noise.
        for index in 4_096 * 3..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try folder.write(bytes, to: "test.sqlite")
        let (first, second) = (try await cache(bytes: 1_000_000), try await cache(bytes: 1_000_000))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    try await (index % 2 == 0 ? first : second).set([UInt8(index)], for: "new \(index)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await first.entry(for: "0") == nil)
        try await first.set([9], for: "last")
        #expect(try await second.entry(for: "last")?.value == [9])
        #expect(try folder.names().count { $0.hasSuffix("Z") || $0.hasSuffix("-2") } == 1)
    }
}
