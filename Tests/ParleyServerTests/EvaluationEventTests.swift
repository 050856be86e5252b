// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Foundation
import Networking
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// The ends of evaluations and of their event streams that no evaluator decides.
@Suite(.timeLimit(.minutes(5))) struct EvaluationEventTests {
    private func events(
        of sample: SoundSample, as person: Person, _ fixture: ServerFixture
    ) async throws -> SyncEventReader {
        let url = try #require(URL(string: fixture.server.address + "/recordings/\(sample.id)/evaluation/events"))
        return SyncEventReader(
            try await fixture.client.send(
                HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(person.token)"])))
    }

    @Test func `a stream ends with the block of its account`() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture { $0.evaluator = evaluator }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        try await eventually("the evaluation runs") { evaluator.files.withLock { !$0.isEmpty } }
        var reader = try await events(of: sample, as: ada, fixture)
        #expect(try await reader.next()?.data.contains(#""state":"running""#) == true)
        let administration = try await ServerAdministration.open(
            ServerOptions(home: fixture.home.path, mail: .folder("")))
        _ = try await administration.change(.forever, of: ada.account)
        await administration.close()
        evaluator.open()
        #expect(try await reader.next() == nil, "the outcome is not sent")
        try await eventually("the outcome is stored") {
            try await fixture.server.evaluationCounts() == ["done": 1]
        }
        await fixture.stop()
    }

    @Test func `a stream lives no longer than a token`() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture {
            $0.evaluator = evaluator
            $0.policy.accessTokenLifetime = .seconds(1)
        }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        try await eventually("the evaluation runs") { evaluator.files.withLock { !$0.isEmpty } }
        var reader = try await events(of: sample, as: ada, fixture)
        #expect(try await reader.next() != nil)
        #expect(try await reader.next() == nil)
        #expect(fixture.server.evaluationWatchers == 0)
        evaluator.open()
        await fixture.stop()
    }

    @Test func `an account has so many streams and no more`() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture {
            $0.evaluator = evaluator
            $0.evaluationStreamsPerAccount = 1
        }
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        let (sample, other) = (SoundSample(100), SoundSample(100))
        try await fixture.upload(sample, as: ada)
        try await fixture.upload(other, as: bob)
        var reader = try await events(of: sample, as: ada, fixture)
        #expect(try await reader.next() != nil)
        let path = "/recordings/\(sample.id)/evaluation"
        let refused = try await fixture.call(.get, path + "/events", as: ada)
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "30")
        #expect(try await fixture.call(.get, path, as: ada).status == 200, "asking now and then is left")
        var bobs = try await events(of: other, as: bob, fixture)
        #expect(try await bobs.next() != nil, "another account's streams are its own")
        evaluator.open()
        evaluator.open()
        while try await reader.next() != nil {}
        try await eventually("the ended stream makes room") {
            try await fixture.call(.get, path + "/events", as: ada).status == 200
        }
        await fixture.stop()
    }

    /// As a worker leaves it that could not store the outcome.
    @Test func `an idle server takes up a job whose lease has ended`() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture { $0.evaluator = evaluator }
        let ada = try await fixture.signIn("ada@example.org")
        evaluator.open()
        try await fixture.upload(SoundSample(100), as: ada)
        try await eventually("it is evaluated") { try await fixture.server.evaluationCounts() == ["done": 1] }
        let stores = try await ServerFixture.stores(fixture.home.path)
        try await stores.storage.recordings.write {
            try await $0.execute(
                """
                UPDATE evaluation_job SET state = 'running', evaluation = NULL, owner = 'home', lease_until = 0
                """)
        }
        evaluator.open()
        try await eventually("it is evaluated again") {
            try await fixture.server.evaluationCounts() == ["done": 1]
        }
        #expect(evaluator.files.withLock(\.count) == 2)
        await stores.storage.close()
        await fixture.stop()
    }
}
