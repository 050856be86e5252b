// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Diagnostics
import Domain
import Foundation
import Persistence
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// Receipts, presence, settings and the relay's objects, over every kind of database.
@Suite(.timeLimit(.minutes(5))) struct AccountDataStoreTests {
    private let folder: TemporaryFolder
    private let now = AuthTime(milliseconds: 1_767_225_600_000)

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: DatabaseKind.allCases)
    func `settings and presence are replaced`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        let (settings, presence) = (SettingStore(database: database), PresenceStore(database: database))
        #expect(try await settings.value("a") == nil)
        for text in ["one", "two “ä”"] {
            try await settings.set("a", to: text)
            #expect(try await settings.value("a") == text)
        }
        #expect(try await presence.lastSeen("ada") == nil)
        for seconds in [5, 9, 7] { try await presence.seen("ada", at: now + .seconds(Int64(seconds))) }
        #expect(try await presence.lastSeen("ada") == now + .seconds(9), "an older time changes nothing")
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a deletion is resumed under its first receipt`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        let (deletions, uploads) = (
            DeletionStore(database: database), UploadStore(database: database, policy: UploadPolicy())
        )
        let (done, begun) = (RecordingSample.recording(1), RecordingSample.recording(2))
        for sound in [done, begun] { #expect(try await uploads.admit(sound, of: "ada", by: "r", at: now) == .new) }
        #expect(try await uploads.finish(done, of: "ada", by: "r", at: now))
        try await PresenceStore(database: database).seen("ada", at: now)
        #expect(
            try await deletions.usage(of: "ada") == ["recordings": 1, "uploads": 1, "evaluations": 1, "receipts": 0])
        let order = try await deletions.begin(
            "r1", of: "ada", PracticeExtent(lastChange: 9, results: 4), (last: 3, objects: 2, bytes: 10), at: now)
        #expect(
            order == DeletionOrder(id: "r1", account: "ada", askedAt: now, lastChange: 9, lastObject: 3))
        #expect(try await deletions.usage(of: "ada")["recordings"] == 0)
        try await deletions.noteResultsRemoved("r1")
        try await deletions.noteObjectsRemoved(1, "r1")
        // Cut off here, and asked for again.
        let again = try await deletions.begin(
            "r2", of: "ada", PracticeExtent(lastChange: 12, results: 1), (last: 4, objects: 1, bytes: 5),
            at: now + .seconds(1))
        #expect(again.id == "r1" && again.lastChange == 12 && again.lastObject == 4)
        #expect(try await deletions.open() == [again])
        let counts = try await deletions.close(again, at: now + .seconds(2))
        #expect(counts == ["recordings": 1, "uploads": 1, "evaluations": 1, "results": 5, "objects": 2])
        #expect(try await deletions.open().isEmpty)
        #expect(try await deletions.receipts(of: "ada").map(\.id) == ["r1"])
        #expect(try await deletions.receipts(of: "ada").first?.counts == counts)
        #expect(try await PresenceStore(database: database).lastSeen("ada") == nil)
        try await deletions.removeAll(of: "ada")
        #expect(try await deletions.receipts(of: "ada").isEmpty)
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the oldest receipts go`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        let deletions = DeletionStore(database: database)
        for number in 0...DeletionStore.maximumReceipts {
            let order = try await deletions.begin(
                "r\(number)", of: "ada", PracticeExtent(lastChange: 0, results: 0), (0, 0, 0),
                at: now + .seconds(Int64(number)))
            _ = try await deletions.close(order, at: now + .seconds(Int64(number)))
        }
        let left = try await deletions.receipts(of: "ada").map(\.id)
        #expect(left.count == DeletionStore.maximumReceipts && left.first == "r1")
        await database.close()
    }

    // MARK: The relay

    @Test(arguments: DatabaseKind.allCases)
    func `objects are written once and listed in their order`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.sync, in: folder)
        let store = try await SyncStore(database)
        let group = SyncGroup(account: "ada", id: SyncSample.group)
        #expect(try await store.create(SyncSample.name(1), [1, 2], in: group) == .new)
        #expect(try await store.create(SyncSample.name(1), [1, 2], in: group) == .same)
        #expect(try await store.create(SyncSample.name(1), [3], in: group) == .taken)
        #expect(try await store.create(SyncSample.name(2), [], in: group) == .new)
        #expect(try await store.content(of: SyncSample.name(1), in: group) == [1, 2])
        #expect(try await store.content(of: SyncSample.name(2), in: group) == [])
        let other = SyncGroup(account: "bob", id: SyncSample.group)
        #expect(try await store.content(of: SyncSample.name(1), in: other) == nil)
        let listing = try await store.list(group, after: nil)
        #expect(listing.objects.map(\.name) == [SyncSample.name(1), SyncSample.name(2)] && !listing.hasMore)
        #expect(try await store.list(group, after: listing.cursor).objects.isEmpty)
        #expect(try await store.usage(of: "ada") == (2, 2, 2))
        #expect(try await store.totals() == (2, 2))
        try await store.remove(SyncSample.name(1), in: group)
        try await store.remove(SyncSample.name(1), in: group)
        #expect(try await store.usage(of: "ada") == (2, 1, 0))
        // Another instance knows the same epoch.
        let second = try await SyncStore(database)
        #expect(try await second.list(group, after: listing.cursor).isWhole == false)
        try await store.erase("ada")
        #expect(try await store.usage(of: "ada") == (0, 0, 0))
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `objects that come at once keep the limits and numbers`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.sync, in: folder)
        var policy = SyncPolicy()
        policy.maximumObjects = 12
        let store = try await SyncStore(database, policy: policy)
        let group = SyncGroup(account: "ada", id: SyncSample.group)
        let admissions = try await withThrowingTaskGroup(of: SyncAdmission.self) { tasks in
            for number in 1...20 {
                tasks.addTask { try await store.create(SyncSample.name(number), [UInt8(number)], in: group) }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(admissions.count { $0 == .new } == 12 && admissions.count { $0 == .tooMany } == 8)
        #expect(try await store.usage(of: "ada") == (12, 12, 12))
        #expect(try await store.list(group, after: nil).objects.count == 12)
        await database.close()
    }
}
