// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import TestKit
import Testing

private struct Settings: Codable, Equatable, Sendable {
    var rate = 1.0
    var voice = "lisa"
}

private struct Unwanted: Error {}

@Suite(.timeLimit(.minutes(5))) struct KeyValueTests {
    private let folder: TemporaryFolder
    private let store: KeyValueStore
    private let count = KeyValueKey("count", in: "app", of: Int.self)
    private let settings = KeyValueKey("settings", in: "app", of: Settings.self)

    init() async throws {
        folder = try TemporaryFolder()
        store = try await KeyValueStore(at: folder.database)
    }

    @Test func valuesAreSetReplacedRemovedAndKept() async throws {
        #expect(try await store.value(for: count) == nil)
        try await store.set(5, for: count)
        try await store.set(Settings(), for: settings)
        try await store.set(6, for: count)
        let again = try await KeyValueStore(at: folder.database)
        #expect(try await again.value(for: count) == 6)
        #expect(try await again.value(for: settings) == Settings())
        #expect(try await again.value(for: KeyValueKey("count", in: "other", of: Int.self)) == nil)
        try await store.set(nil, for: count)
        #expect(try await again.value(for: count) == nil)
    }

    @Test(arguments: [Durability.full, .normal]) func theStoresDurabilityIsTheWritesOwn(durability: Durability)
        async throws
    {
        // In memory, a read is on the connection that wrote.
        let database = try await Database.inMemory()
        try await database.migrate(KeyValueStore.migrations)
        let store = KeyValueStore(database: database, durability: durability)
        try await store.set(1, for: count)
        let found = try await database.read { try $0.first("PRAGMA synchronous", as: Int.self) }
        #expect(found == (durability == .full ? 2 : 1))
    }

    @Test func rawBytesAndNames() async throws {
        try await store.write { keys in
            for name in ["b", "a", "ä"] { try keys.setBytes(Array(name.utf8), for: name, in: "raw") }
            try keys.setBytes([], for: "empty", in: "other")
        }
        #expect(try await store.read { try $0.names(in: "raw") } == ["a", "b", "ä"])
        #expect(try await store.read { try $0.bytes("empty", in: "other") } == [])
        #expect(try await store.write { try $0.compareAndSetBytes("a", in: "raw", from: [1], to: [2]) } == false)
        #expect(try await store.write { try $0.compareAndSetBytes("a", in: "raw", from: Array("a".utf8), to: nil) })
        #expect(try await store.read { try $0.names(in: "raw") } == ["b", "ä"])
        try await store.write { try $0.removeAll(in: "raw") }
        #expect(try await store.read { try $0.names(in: "raw") } == [])
        #expect(try await store.read { try $0.names(in: "other") } == ["empty"])
    }

    @Test func whatIsOfAnotherTypeIsNotDecoded() async throws {
        try await store.set(Settings(), for: settings)
        let wrong = KeyValueKey("settings", in: "app", of: [Int].self)
        #expect(await code { _ = try await store.value(for: wrong) } == .typeMismatch)
    }

    @Test func severalKeysChangeTogetherOrNotAtAll() async throws {
        await #expect(throws: Unwanted.self) {
            try await store.write { [count, settings] keys in
                try keys.set(1, for: count)
                try keys.set(Settings(), for: settings)
                throw Unwanted()
            }
        }
        #expect(try await store.value(for: count) == nil)
        #expect(try await store.value(for: settings) == nil)
    }

    @Test func compareAndSetLosesNoIncrementBetweenTwoStores() async throws {
        let other = try await KeyValueStore(at: folder.database, durability: .normal)
        let stores = [other, try await KeyValueStore(at: folder.database, durability: .normal)]
        #expect(try await store.compareAndSet(count, from: 1, to: 2) == false)
        #expect(try await store.compareAndSet(count, from: nil, to: 0))
        let count = count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let store = stores[index % 2]
                    while true {
                        let value = try await store.value(for: count) ?? 0
                        if try await store.compareAndSet(count, from: value, to: value + 1) { return }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.value(for: count) == 20)
        #expect(try await store.compareAndSet(count, from: 20, to: nil))
        #expect(try await store.value(for: count) == nil)
    }

    @Test func anObserverSeesTheValueAndItsChanges() async throws {
        var values = store.values(for: count).makeAsyncIterator()
        #expect(try await values.next() == .some(nil))
        try await store.set(1, for: count)
        #expect(try await values.next() == 1)
        // Another key, and the same value again, are no change; two changes at once are the newest.
        try await store.set(Settings(), for: settings)
        try await store.set(1, for: count)
        try await store.set(2, for: count)
        try await store.set(3, for: count)
        #expect(try await values.next() == 3)
        // Another process's, as far as the database can tell.
        try await KeyValueStore(at: folder.database).set(nil, for: count)
        #expect(try await values.next() == .some(nil))
    }

    @Test func anObserverEndsWithItsTask() async throws {
        let (store, count) = (store, count)
        let seen = AsyncStream.makeStream(of: Int?.self)
        let task = Task {
            for try await value in store.values(for: count) { seen.continuation.yield(value) }
            return true
        }
        var values = seen.stream.makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        task.cancel()
        // Reading may notice the cancelling first.
        do { #expect(try await task.value) } catch { #expect(error is CancellationError) }
        try await store.set(1, for: count)
    }
}
