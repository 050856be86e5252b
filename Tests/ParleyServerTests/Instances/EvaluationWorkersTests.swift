// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Foundation
import Networking
import Persistence
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

/// `parley-server work` beside a server that evaluates nothing.
@Suite(.timeLimit(.minutes(5))) struct EvaluationWorkersTests {
    private func options(_ instances: Instances, _ evaluator: any SoundEvaluator) -> ServerOptions {
        var options = ServerOptions(home: instances[0].home.path, mail: .folder(""))
        options.database = instances.url
        options.evaluator = evaluator
        return options
    }

    private func state(_ id: String, as person: Person, _ fixture: ServerFixture) async throws -> EvaluationStateDTO {
        try decoded(await fixture.call(.get, "/recordings/\(id)/evaluation", as: person))
    }

    @Test func `workers evaluate for a server, which tells its client`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        let evaluator = GatedEvaluator()
        let workers = try await EvaluationWorkers.start(options(instances, evaluator))
        let sample = SoundSample(100)
        try await instances[0].upload(sample, as: ada)
        try await eventually { evaluator.files.withLock { !$0.isEmpty } }
        evaluator.open()
        let events = text(try await instances[0].call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada))
        #expect(events.contains(#""state":"done""#), "\(events)")
        await workers.stop()
        await instances.stop()
    }

    @Test func `an evaluation that hangs is ended with a reason`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        var options = options(
            instances,
            ChildSoundEvaluator(
                program: "/bin/sh", arguments: ["-c", "exec sleep 1000"], memoryBytes: 1 << 30))
        options.evaluationTimeLimit = .milliseconds(50)
        let workers = try await EvaluationWorkers.start(options)
        let sample = SoundSample(100)
        try await instances[0].upload(sample, as: ada)
        _ = try await instances[0].call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada)
        let state = try await state(sample.id, as: ada, instances[0])
        #expect(state.stage == .failed && state.reason == "The evaluation took too long.")
        await workers.stop()
        await instances.stop()
    }

    /// Evaluates, but for the first time, when the database is gone.
    private final class UnluckyEvaluator: SoundEvaluator {
        let tries = Guarded(0)

        func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
            let isFirst = tries.withLock { tries in
                tries += 1
                return tries == 1
            }
            if isFirst { throw DatabaseError(code: .init(rawValue: "connection"), message: "It is gone.") }
            return GatedEvaluator.evaluation
        }
    }

    @Test func `a database that is gone for a moment fails no evaluation`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        let evaluator = UnluckyEvaluator()
        let workers = try await EvaluationWorkers.start(options(instances, evaluator))
        let samples = [SoundSample(100), SoundSample(200)]
        try await instances[0].upload(samples[0], as: ada)
        try await eventually { evaluator.tries.withLock { $0 } > 0 }
        // The next recording wakes the worker.
        try await instances[0].upload(samples[1], as: ada)
        for sample in samples {
            let events = text(
                try await instances[0].call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada))
            #expect(events.contains(#""state":"done""#), "\(events)")
        }
        await workers.stop()
        await instances.stop()
    }

    @Test func `stopped workers put their job back`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(100)
        try await instances[0].upload(sample, as: ada)
        // More often than a job is tried.
        for _ in 0...EvaluationJobs.maximumAttempts {
            let evaluator = GatedEvaluator()
            let workers = try await EvaluationWorkers.start(options(instances, evaluator))
            try await eventually { evaluator.files.withLock { !$0.isEmpty } }
            await workers.stop(grace: .zero)
            #expect(try await state(sample.id, as: ada, instances[0]).stage == .waiting)
        }
        let database = try await instances.database()
        let attempts = try await database.read {
            try await $0.first("SELECT attempts FROM evaluation_job", as: Int.self)
        }
        #expect(attempts == 0)
        await database.close()
        await instances.stop()
    }

    @Test func `a worker that died loses its job to another`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(100)
        try await instances[0].upload(sample, as: ada)
        let database = try await instances.database()
        // It claims, and is heard of no more.
        #expect(try await EvaluationJobs(database: database, instance: .random()).claim() != nil)
        let evaluator = GatedEvaluator()
        evaluator.open()
        let workers = try await EvaluationWorkers.start(options(instances, evaluator))
        #expect(try await state(sample.id, as: ada, instances[0]).stage == .running)
        try await database.endLeases(of: "evaluation_job")
        _ = try await instances[0].call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada)
        #expect(try await state(sample.id, as: ada, instances[0]).stage == .done)
        await workers.stop()
        await database.close()
        await instances.stop()
    }

    /// The program itself, with a process for each recording.
    @Test func `parley-server work evaluates and ends as asked`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        let process = try ChildProcess(
            ChildProcess.path(besideTests: "parley-server"),
            ["work", "--home", instances[0].home.path, "--database", instances.url, "--workers", "2"],
            environment: .adding([:]), errors: .file(instances[0].home.file("stderr")))
        #expect(process.line() == #"{"workers":2}"#)
        for seed in 1...3 {
            var sample = SoundSample(1_000, seed: UInt64(seed))
            // The catalogue has none of this id, which the evaluator of the child says.
            sample.cue = "99999999-2222-4333-8444-555555555555"
            try await instances[0].upload(sample, as: ada)
            _ = try await instances[0].call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada)
            let state = try await state(sample.id, as: ada, instances[0])
            #expect(state.reason == "The cue of this recording is not in the server's catalogue.", "\(state)")
        }
        process.kill(SIGTERM)
        #expect(process.wait().code == 0)
        await instances.stop()
    }

    @Test func `a worker that cannot start a process puts its job back`() async throws {
        let instances = try await Instances(1) { $1.workers = 0 }
        let ada = try await instances[0].signIn("ada@example.org")
        let evaluator = UnstartableEvaluator()
        let broken = try await EvaluationWorkers.start(options(instances, evaluator))
        let sample = SoundSample(100)
        try await instances[0].upload(sample, as: ada)
        // More often than a recording is tried.
        try await eventually("it has tried") { evaluator.attempts.withLock { $0 > EvaluationJobs.maximumAttempts } }
        await broken.stop()
        #expect(try await state(sample.id, as: ada, instances[0]).stage == .waiting)
        await instances.stop()
    }

    @Test func `workers need a database that is shared`() async throws {
        let home = try TemporaryFolder()
        await #expect(throws: ServerSetupError.noSharedDatabase) {
            _ = try await EvaluationWorkers.start(ServerOptions(home: home.path, mail: .folder("")))
        }
    }
}

/// Counts its attempts to start a program that does not exist.
private final class UnstartableEvaluator: SoundEvaluator {
    let attempts = Guarded(0)

    func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
        attempts.withLock { $0 += 1 }
        return try await ChildSoundEvaluator(program: "/no/such/program", arguments: [], memoryBytes: 1 << 30)
            .evaluate(file: file, recording, of: cue)
    }
}
