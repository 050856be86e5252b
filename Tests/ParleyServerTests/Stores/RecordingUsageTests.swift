// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import Foundation
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// The numbers that are kept for each account, over every kind of database.
@Suite(.timeLimit(.minutes(5))) struct RecordingUsageTests {
    private let folder: TemporaryFolder
    private let start = AuthTime(milliseconds: 1_767_225_600_000)

    init() throws { folder = try TemporaryFolder() }

    private static let people = ["ada", "bob", "eve"]

    @Test(arguments: DatabaseKind.allCases)
    func `kept numbers are the sums after every change`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        var policy = UploadPolicy()
        (policy.quotaBytes, policy.maximumCount) = (200, 6)
        let uploads = UploadStore(database: database, policy: policy)
        let recordings = RecordingStore(database: database)
        let deletions = DeletionStore(database: database)
        let seed: UInt64 = 25
        var random = SeededGenerator(seed: seed)
        var refusals = 0
        for step in 0..<300 {
            let (account, now) = (Self.people.randomElement(using: &random) ?? "ada", start + .seconds(Int64(step)))
            let sound = RecordingSample.recording(Int.random(in: 0..<12, using: &random), bytes: 40)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50:
                switch try await uploads.admit(sound, of: account, by: "r", at: now) {
                case .tooMany, .overQuota: refusals += 1
                default: break
                }
            case 50..<75: try await uploads.finish(sound, of: account, by: "r", at: now)
            case 75..<82: _ = try await uploads.remove(sound.id, of: account)
            case 82..<92: _ = try await recordings.remove(sound.id, of: account)
            case 92..<96: _ = try await recordings.removeOldest(before: now + .seconds(-60))
            case 96..<98:
                let order = try await deletions.begin(
                    "r\(step)", of: account, PracticeExtent(lastChange: 0, results: 0), (0, 0, 0), at: now)
                _ = try await deletions.close(order, at: now)
            default: try await deletions.removeAll(of: account)
            }
            #expect(try await database.keepsRightUsage(), "step \(step), seed \(seed)")
        }
        #expect(refusals > 0)
        let jobs = try await EvaluationJobs(database: database).counts()
        #expect(try await jobs == ["waiting": recordings.totals().recordings])
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `changes at once leave the right numbers`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        let uploads = UploadStore(database: database, policy: UploadPolicy())
        let recordings = RecordingStore(database: database)
        let now = start
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<18 {
                group.addTask {
                    let (account, sound) = (Self.people[number % 3], RecordingSample.recording(number))
                    _ = try await uploads.admit(sound, of: account, by: "r", at: now)
                    try await uploads.finish(sound, of: account, by: "r", at: now)
                    if number % 2 == 0 { _ = try await recordings.remove(sound.id, of: account) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.keepsRightUsage())
        #expect(try await recordings.totals().recordings == 9)
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `nobody is refused by a wrong number`(_ kind: DatabaseKind) async throws {
        let database = try await kind.make(.recordings, in: folder)
        var policy = UploadPolicy()
        (policy.quotaBytes, policy.maximumCount) = (100, 3)
        let uploads = UploadStore(database: database, policy: policy)
        // As a version leaves it that deletes and does not count.
        try await database.write { try await RecordingUsage.add(recordings: 3, bytes: 90, to: "ada", $0) }
        #expect(
            try await uploads.admit(RecordingSample.recording(1, bytes: 60), of: "ada", by: "r", at: start) == .new)
        #expect(try await database.keepsRightUsage())
        await database.close()
    }

    @Test func `the migration counts what is there`() async throws {
        let position = try #require(RecordingSchema.migrations.firstIndex { $0.name == "usage of recordings" })
        let path = folder.file("old.sqlite")
        let old = try await SQLiteServerDatabase.open(
            path, Array(RecordingSchema.migrations[..<position]), clock: .system)
        try await old.write { writer in
            for (table, time, number) in [
                ("recording", "received_at", 1), ("recording", "received_at", 2), ("upload", "touched_at", 3),
            ] as [(SQL, SQL, Int)] {
                try await writer.execute(
                    """
                    INSERT INTO \(sql: table) (\(sql: RecordingRow.columns), account, \(sql: time))
                    VALUES (\(sql: RecordingRow.values(RecordingSample.recording(number, bytes: 10))), 'ada', 1)
                    """)
            }
        }
        await old.close()
        let new = try await SQLiteServerDatabase.open(path, RecordingSchema.migrations, clock: .system)
        #expect(try await RecordingStore(database: new).totals() == (2, 1, 30))
        #expect(try await new.keepsRightUsage())
        await new.close()
    }
}

extension ServerDatabase {
    /// True if the numbers that are kept for accounts are those of their rows; they are so afterwards.
    func keepsRightUsage() async throws -> Bool {
        try await write { writer in
            let kept: SQL = """
                SELECT account, recordings, uploads, bytes FROM recording_usage
                WHERE recordings <> 0 OR uploads <> 0 OR bytes <> 0 ORDER BY account
                """
            let before = try await writer.query(kept) { $0.values }
            for statement in RecordingUsage.recountAll { try await writer.execute(statement) }
            return try await writer.query(kept) { $0.values } == before
        }
    }
}
