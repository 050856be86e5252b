// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Domain
import Foundation
import Networking
import Persistence
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer
@testable import parley_server

@Suite(.timeLimit(.minutes(5))) struct EvaluationTests {
    private func states(_ stream: String) -> [String] {
        stream.matches(of: /event: state\ndata: .*"state":"([a-z]+)"/).map { String($0.output.1) }
    }

    @Test func statesComeInTheirOrderAndTheStreamEnds() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture { $0.evaluator = evaluator }
        let ada = try await fixture.signIn("ada@example.org")
        let (first, second) = (SoundSample(100), SoundSample(100, seed: 2))
        try await fixture.upload(first, as: ada)
        try await eventually { evaluator.files.withLock { !$0.isEmpty } }
        try await fixture.upload(second, as: ada)
        // One at a time: the second waits for the first.
        let waiting: EvaluationStateDTO = try decoded(
            await fixture.call(.get, "/recordings/\(second.id)/evaluation", as: ada))
        #expect(waiting.stage == .waiting && waiting.evaluation == nil)
        let url = try #require(URL(string: fixture.server.address + "/recordings/\(second.id)/evaluation/events"))
        let response = try await fixture.client.send(
            HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(ada.token)"]))
        #expect(response.status == 200 && response.headers["Content-Type"] == "text/event-stream")
        var stream = ""
        var hasOpened = false
        for try await chunk in response.body {
            stream += String(decoding: chunk, as: UTF8.self)
            if !hasOpened, states(stream) == ["waiting"] {
                hasOpened = true
                evaluator.open()
            }
            if states(stream) == ["waiting", "running"] { evaluator.open() }
        }
        #expect(states(stream) == ["waiting", "running", "done"], "\(stream)")
        let done: EvaluationStateDTO = try decoded(
            await fixture.call(.get, "/recordings/\(second.id)/evaluation", as: ada))
        var expected = GatedEvaluator.evaluation
        expected.source = .server
        #expect(try done.finished() == expected)
        // Who asks when it is over gets the end at once.
        let late = try await fixture.call(.get, "/recordings/\(second.id)/evaluation/events", as: ada)
        #expect(states(text(late)) == ["done"])
        #expect(evaluator.files.withLock(\.count) == 2)
        await fixture.stop()
    }

    /// With the evaluator itself and a question that somebody speaks; it goes by the content whatever its format is called.
    @Test func whatSomebodySaidIsHeard() async throws {
        let home = try TemporaryFolder()
        let fixture = try await ServerFixture(home: home) { $0.evaluator = ReadingSoundEvaluator() }
        let ada = try await fixture.signIn("ada@example.org")
        let cue = "11111111-2222-4333-8444-555555555555"
        let catalogue = try await CueCatalogue(home: home.path)
        let line = #"{"id":"\#(cue)","text":"What is the capital of Texas?","language":"en","topic":"x","level":1}"#
        #expect(try await catalogue.add(jsonLines: line) == 1)
        await catalogue.close()
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Apps/parley/Samples/capital-of-texas.wav")
        let (spoken, silent) = (SoundSample(Array(try Data(contentsOf: file))), SoundSample(1_000))
        for sample in [spoken, silent] { try await fixture.upload(sample, as: ada) }
        _ = try await fixture.call(.get, "/recordings/\(spoken.id)/evaluation/events", as: ada)
        let state: EvaluationStateDTO = try decoded(
            await fixture.call(.get, "/recordings/\(spoken.id)/evaluation", as: ada))
        let evaluation = try #require(try state.finished(), "\(state)")
        #expect(evaluation.source == .server && evaluation.count(.right) >= 5, "\(evaluation)")
        #expect(evaluation.words?.count(where: { $0.verdict != .inserted }) == 6 && evaluation.speechDuration > 0.8)
        let noise = text(try await fixture.call(.get, "/recordings/\(silent.id)/evaluation/events", as: ada))
        #expect(noise.contains("cannot be read as sound") && !noise.contains(home.path))
        await fixture.stop()
    }

    @Test func aFailureSaysWhyAndTheNextOneIsDone() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture { $0.evaluator = evaluator }
        let ada = try await fixture.signIn("ada@example.org")
        let (first, second) = (SoundSample(100), SoundSample(100, seed: 2))
        for sample in [first, second] { try await fixture.upload(sample, as: ada) }
        evaluator.open(.failure(EvaluationFailure(reason: "It is silent.")))
        evaluator.open()
        let failed = try await fixture.call(.get, "/recordings/\(first.id)/evaluation/events", as: ada)
        #expect(text(failed).contains(#"data: {"evaluation":null,"reason":"It is silent.","state":"failed"}"#))
        let done = try await fixture.call(.get, "/recordings/\(second.id)/evaluation/events", as: ada)
        #expect(states(text(done)).last == "done")
        await fixture.stop()
    }

    @Test func oneThatTakesTooLongIsGivenUp() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture {
            $0.evaluator = evaluator
            $0.evaluationTimeLimit = .zero
        }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        let stream = text(try await fixture.call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada))
        #expect(stream.contains("took too long") && states(stream).last == "failed")
        await fixture.stop()
    }

    @Test func aStreamEndsWhenItsRecordingIsDeleted() async throws {
        let evaluator = GatedEvaluator()
        let fixture = try await ServerFixture { $0.evaluator = evaluator }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        async let stream = fixture.call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada)
        try await eventually { fixture.server.evaluationWatchers > 0 }
        #expect(try await fixture.call(.delete, "/recordings/\(sample.id)", as: ada).status == 204)
        evaluator.open()
        #expect(try await states(text(stream)).last != "done")
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)/evaluation", as: ada).status == 404)
        await fixture.stop()
    }

    /// The queue outlives the process: what was being worked on is begun again, but not for ever.
    @Test func whatAKilledServerWorkedOnIsBegunAgainThreeTimesAtMost() async throws {
        let home = try TemporaryFolder()
        let database = try await SQLiteServerDatabase.open(
            home.path + "/recordings.sqlite", RecordingSchema.migrations, clock: .system)
        let jobs = EvaluationJobs(database: database)
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1_700_000_000), duration: 1, format: .opus,
            sampleRate: 48_000, byteCount: 10, contentHash: String(repeating: "a", count: 64))
        let uploads = UploadStore(database: database, policy: UploadPolicy())
        let now = AuthTime(milliseconds: 1_767_225_600_000)
        #expect(try await uploads.admit(recording, of: "ada", by: "r", at: now) == .new)
        try await uploads.finish(recording, of: "ada", by: "r", at: now)
        for _ in 0..<3 {
            #expect(try await jobs.claim()?.recording == recording)
            #expect(try await jobs.claim() == nil)
            try await jobs.recover()
        }
        #expect(try await jobs.claim() == nil)
        let state = try await jobs.state(of: recording.id, account: "ada")
        #expect(state?.stage == .failed && state?.reason?.isEmpty == false)
        #expect(try await jobs.state(of: recording.id, account: "bob") == nil)
        await database.close()
    }

    @Test func anOrderlyEndIsNoAttempt() async throws {
        let home = try TemporaryFolder()
        var evaluator = GatedEvaluator()
        var fixture = try await ServerFixture(home: home) { [evaluator] in
            $0.evaluator = evaluator
            $0.publicAddress = "http://127.0.0.1:1"
        }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        for _ in 1...4 {
            try await eventually { evaluator.files.withLock { !$0.isEmpty } }
            await fixture.server.stop(grace: .zero)
            // The cancelled one has closed its gate.
            evaluator = GatedEvaluator()
            fixture = try await ServerFixture(home: home) { [evaluator] in
                $0.evaluator = evaluator
                $0.publicAddress = "http://127.0.0.1:1"
            }
        }
        try await eventually { evaluator.files.withLock { !$0.isEmpty } }
        let state: EvaluationStateDTO = try decoded(
            await fixture.call(.get, "/recordings/\(sample.id)/evaluation", as: ada))
        #expect(state.stage == .running)
        await fixture.server.stop(grace: .zero)
    }
}
