// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import DomainTestSupport
import Foundation
import Persistence
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

/// The queue of evaluations, over every kind of database.
@Suite(.timeLimit(.minutes(5))) struct JobStoreTests {
    private let folder: TemporaryFolder
    private let now = AuthTime(milliseconds: 1_767_225_600_000)

    init() throws { folder = try TemporaryFolder() }

    private func database(_ kind: DatabaseKind, recordings count: Int) async throws -> any ServerDatabase {
        let database = try await kind.make(.recordings, in: folder)
        for number in 0..<count { try await add(number, of: "ada", to: database) }
        return database
    }

    private func add(_ number: Int, of account: String, to database: any ServerDatabase) async throws {
        let uploads = UploadStore(database: database, policy: UploadPolicy())
        let recording = RecordingSample.recording(number)
        #expect(try await uploads.admit(recording, of: account, by: "r", at: now) == .new)
        #expect(try await uploads.finish(recording, of: account, by: "r", at: now))
    }

    private func jobs(_ database: any ServerDatabase, _ id: String = "one") -> EvaluationJobs {
        EvaluationJobs(database: database, instance: ServerInstance(id: id))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `jobs are claimed in their order and once`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 3)
        let jobs = jobs(database)
        var found: [Int] = []
        while let job = try await jobs.claim() {
            #expect(job.attempt == 1 && job.account == "ada")
            found.append(job.recording.byteCount)
        }
        #expect(found == [1, 2, 3])
        #expect(try await jobs.counts() == ["running": 3])
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `accounts take turns, however many recordings one of them has`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 3)
        for (number, account) in [(3, "bob"), (4, "eve"), (5, "bob")] {
            try await add(number, of: account, to: database)
        }
        let jobs = jobs(database)
        var accounts: [String] = []
        while let job = try await jobs.claim(after: accounts.last ?? "") { accounts.append(job.account) }
        #expect(accounts == ["ada", "bob", "eve", "ada", "bob", "ada"])
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `instances that claim at once share the jobs`(_ kind: DatabaseKind) async throws {
        let count = 24
        let database = try await database(kind, recordings: count)
        let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for instance in 0..<4 {
                group.addTask {
                    let jobs = jobs(database, "instance \(instance)")
                    var numbers: [Int64] = []
                    while let job = try await jobs.claim() {
                        numbers.append(job.number)
                        try await jobs.finish(job, .failure(EvaluationFailure(reason: "\(instance)")))
                    }
                    return numbers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == count && Set(claimed).count == count)
        #expect(try await jobs(database).counts() == ["failed": count])
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a lease that ended goes to another instance`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 1)
        let (first, second) = (jobs(database, "first"), jobs(database, "second"))
        let job = try #require(try await first.claim())
        #expect(try await second.claim() == nil)
        #expect(try await first.renew(job))
        #expect(try await second.claim() == nil)
        try await database.endLeases(of: "evaluation_job")
        let taken = try #require(try await second.claim())
        #expect(taken.recording == job.recording && taken.attempt == 2)
        // The first one comes back too late.
        #expect(try await !first.renew(job))
        try await first.finish(job, .failure(EvaluationFailure(reason: "late")))
        #expect(try await second.state(of: job.recording.id, account: "ada")?.stage == .running)
        let evaluation = PracticeSamples.evaluation()
        try await second.finish(taken, .success(evaluation))
        let state = try await second.state(of: job.recording.id, account: "ada")
        #expect(state?.stage == .done && state?.evaluation != nil)
        #expect(try await second.states(of: "ada").keys.sorted() == [job.recording.id.description])
        #expect(try await second.state(of: job.recording.id, account: "bob") == nil)
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a job whose lease ended waits for a worker`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 1)
        let jobs = jobs(database)
        #expect(try await jobs.hasWaiting())
        let job = try #require(try await jobs.claim())
        #expect(try await !jobs.hasWaiting())
        try await database.endLeases(of: "evaluation_job")
        #expect(try await jobs.hasWaiting())
        try await jobs.finish(try #require(try await jobs.claim()), .failure(EvaluationFailure(reason: "done")))
        #expect(try await !jobs.hasWaiting() && job.attempt == 1)
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `an instance touches only its own jobs`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 2)
        let (first, second) = (jobs(database, "first"), jobs(database, "second"))
        let own = try #require(try await first.claim())
        let other = try #require(try await second.claim())
        try await first.release()
        #expect(try await first.counts() == ["running": 1, "waiting": 1])
        let again = try #require(try await first.claim())
        #expect(again.number == own.number && again.attempt == 1, "an orderly end is no attempt")
        try await first.recover()
        #expect(try await second.renew(other))
        #expect(try await second.claim()?.number == own.number, "what the first one left is taken at once")
        #expect(try await first.claim() == nil)
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a job that ends three processes fails`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 1)
        let jobs = jobs(database)
        let id = RecordingSample.recording(0).id
        for attempt in 1...3 {
            #expect(try await jobs.claim()?.attempt == attempt)
            try await database.endLeases(of: "evaluation_job")
        }
        #expect(try await jobs.claim() == nil)
        let state = try await jobs.state(of: id, account: "ada")
        #expect(state?.stage == .failed && state?.reason?.isEmpty == false)
        await database.close()
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a recording that was deleted has no job`(_ kind: DatabaseKind) async throws {
        let database = try await database(kind, recordings: 2)
        let jobs = jobs(database)
        let job = try #require(try await jobs.claim())
        let recordings = RecordingStore(database: database)
        #expect(try await recordings.remove(job.recording.id, of: "ada"))
        #expect(try await !jobs.renew(job))
        try await jobs.finish(job, .failure(EvaluationFailure(reason: "late")))
        #expect(try await jobs.counts() == ["waiting": 1])
        await database.close()
    }
}

/// Recordings whose number of bytes tells them apart.
enum RecordingSample {
    static func recording(_ number: Int, bytes: Int? = nil, hash: Character = "a", at seconds: Double = 0) -> Recording
    {
        let digits = String(number, radix: 16)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return Recording(
            id: Identifier(id) ?? .init(), cue: .init(),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000 + seconds),
            duration: 1.25, format: .opus, sampleRate: 48_000, byteCount: bytes ?? number + 1,
            contentHash: String(repeating: hash, count: 64))
    }
}
