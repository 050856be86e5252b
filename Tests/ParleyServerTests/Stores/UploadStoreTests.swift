// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import Foundation
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// Uploads and recordings, over every kind of database.
@Suite(.timeLimit(.minutes(5))) struct UploadStoreTests {
    private let folder: TemporaryFolder
    private let now = AuthTime(milliseconds: 1_767_225_600_000)

    init() throws { folder = try TemporaryFolder() }

    private func stores(_ kind: DatabaseKind) async throws -> (UploadStore, RecordingStore) {
        let database = try await kind.make(.recordings, in: folder)
        var policy = UploadPolicy()
        (policy.quotaBytes, policy.maximumCount) = (100, 3)
        return (UploadStore(database: database, policy: policy), RecordingStore(database: database))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an upload begins, goes on and ends`(_ kind: DatabaseKind) async throws {
        let (uploads, recordings) = try await stores(kind)
        let sound = RecordingSample.recording(1, bytes: 60)
        #expect(try await uploads.admit(sound, of: "ada", by: "r", at: now) == .new)
        let begun = Upload(recording: sound, touchedAt: now, unverifiedFrom: nil)
        #expect(try await uploads.upload(sound.id, of: "ada") == begun)
        #expect(try await uploads.upload(sound.id, of: "bob") == nil)
        #expect(try await uploads.admit(sound, of: "ada", by: "r", at: now) == .begun(begun))
        let other = RecordingSample.recording(1, bytes: 60, hash: "b")
        #expect(try await uploads.admit(other, of: "ada", by: "r", at: now) == .taken)
        let later = now + .seconds(5)
        #expect(try await uploads.mark(sound.id, of: "ada", by: "r", unverifiedFrom: 7, at: later))
        #expect(try await uploads.upload(sound.id, of: "ada")?.unverifiedFrom == 7)
        #expect(try await uploads.upload(sound.id, of: "ada")?.touchedAt == later)
        #expect(try await uploads.untouched(since: later).isEmpty)
        #expect(try await uploads.untouched(since: later + .seconds(1)).map(\.id) == [sound.id])
        #expect(try await uploads.finish(sound, of: "ada", by: "r", at: later))
        #expect(try await !uploads.finish(sound, of: "ada", by: "r", at: later))
        #expect(try await uploads.admit(sound, of: "ada", by: "r", at: now) == .finished(sound))
        #expect(try await recordings.recording(sound.id, of: "ada") == sound)
        #expect(try await recordings.usage(of: "ada") == (1, 60))
        #expect(try await recordings.totals() == (1, 0, 60))
        await uploads.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `limits hold for uploads that begin at once`(_ kind: DatabaseKind) async throws {
        let (uploads, recordings) = try await stores(kind)
        let admissions = try await withThrowingTaskGroup(of: UploadAdmission.self) { group in
            for number in 0..<10 {
                group.addTask {
                    try await uploads.admit(
                        RecordingSample.recording(number, bytes: 40), of: "ada", by: "r\(number)", at: now)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(admissions.count { $0 == .new } == 2 && admissions.count { $0 == .overQuota(free: 20) } == 8)
        #expect(try await uploads.admit(RecordingSample.recording(20, bytes: 1), of: "ada", by: "r", at: now) == .new)
        #expect(
            try await uploads.admit(RecordingSample.recording(21, bytes: 1), of: "ada", by: "r", at: now) == .tooMany)
        #expect(try await recordings.usage(of: "ada") == (3, 81))
        await uploads.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `one request works on an upload at a time`(_ kind: DatabaseKind) async throws {
        let (uploads, _) = try await stores(kind)
        let sound = RecordingSample.recording(1)
        #expect(try await uploads.take(sound.id, of: "ada", "first"), "nothing to hold")
        #expect(try await uploads.admit(sound, of: "ada", by: "first", at: now) == .new)
        #expect(try await !uploads.take(sound.id, of: "ada", "second"))
        await #expect(throws: UploadError.busy) {
            _ = try await uploads.admit(sound, of: "ada", by: "second", at: now)
        }
        #expect(try await uploads.renew(sound.id, of: "ada", "first"))
        #expect(try await !uploads.renew(sound.id, of: "ada", "second"))
        try await uploads.giveBack(sound.id, of: "ada", "second")
        #expect(try await !uploads.take(sound.id, of: "ada", "second"), "only the owner gives it back")
        try await uploads.giveBack(sound.id, of: "ada", "first")
        #expect(try await uploads.take(sound.id, of: "ada", "second"))
        // A request whose lease ended changes nothing any more.
        try await uploads.database.endLeases(of: "upload")
        #expect(try await uploads.take(sound.id, of: "ada", "third"))
        #expect(try await !uploads.renew(sound.id, of: "ada", "second"))
        #expect(try await !uploads.mark(sound.id, of: "ada", by: "second", unverifiedFrom: nil, at: now))
        #expect(try await !uploads.finish(sound, of: "ada", by: "second", at: now))
        #expect(try await uploads.finish(sound, of: "ada", by: "third", at: now))
        await uploads.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an instance ends the leases of its own earlier life`(_ kind: DatabaseKind) async throws {
        let (uploads, _) = try await stores(kind)
        let (own, other) = (ServerInstance(id: "own"), ServerInstance(id: "other"))
        let sounds = (1...2).map { RecordingSample.recording($0) }
        #expect(try await uploads.admit(sounds[0], of: "ada", by: own.request(), at: now) == .new)
        #expect(try await uploads.admit(sounds[1], of: "ada", by: other.request(), at: now) == .new)
        try await uploads.recover(own)
        #expect(try await uploads.take(sounds[0].id, of: "ada", "r"))
        #expect(try await !uploads.take(sounds[1].id, of: "ada", "r"))
        await uploads.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of requests that take a lease at once one gets it`(_ kind: DatabaseKind) async throws {
        let (uploads, _) = try await stores(kind)
        let sound = RecordingSample.recording(1)
        #expect(try await uploads.admit(sound, of: "ada", by: "r", at: now) == .new)
        try await uploads.giveBack(sound.id, of: "ada", "r")
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10 { group.addTask { try await uploads.take(sound.id, of: "ada", "r\(number)") } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 1)
        await uploads.database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `recordings come in pages and go by age`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        let uploads = UploadStore(database: database, policy: UploadPolicy())
        let recordings = RecordingStore(database: database)
        let sounds = (0..<5).map { RecordingSample.recording($0, at: Double($0 / 2)) }
        for (index, sound) in sounds.enumerated() {
            #expect(try await uploads.admit(sound, of: "ada", by: "r", at: now) == .new)
            #expect(try await uploads.finish(sound, of: "ada", by: "r", at: now + .seconds(Int64(index))))
        }
        let first = try await recordings.page(of: "ada", after: nil, limit: 3)
        #expect(first == [sounds[4], sounds[3], sounds[2]])
        let cursor = RecordingCursor(after: try #require(first.last))
        #expect(try await recordings.page(of: "ada", after: cursor, limit: 3) == [sounds[1], sounds[0]])
        #expect(try await recordings.page(of: "bob", after: nil, limit: 3).isEmpty)
        let removed = try await recordings.removeOldest(before: now + .seconds(2))
        #expect(removed.map(\.id) == [sounds[0].id, sounds[1].id] && removed.allSatisfy { $0.account == "ada" })
        #expect(try await recordings.removeOldest(before: now + .seconds(2)).isEmpty)
        #expect(try await recordings.remove(sounds[2].id, of: "ada"))
        #expect(try await !recordings.remove(sounds[2].id, of: "ada"))
        #expect(try await EvaluationJobs(database: database).counts() == ["waiting": 2])
        await database.close()
    }
}
