// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Networking
import PracticeWire
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct RemoteEvaluatorTests {
    private let server = ScriptedServer()
    private let local = InMemoryRecordingRepository(hash: { _ in String(repeating: "a", count: 64) })
    private let recording = Recording(
        cue: .init(), createdAt: Date(timeIntervalSince1970: 1), duration: 1, format: .flac, sampleRate: 16_000,
        byteCount: 3, contentHash: String(repeating: "a", count: 64))
    private let evaluation = PracticeSamples.evaluation(source: .server)

    private var path: String { "/recordings/\(recording.id)" }

    private func progress(_ clock: any Clock<Duration> = ContinuousClock()) async throws -> [EvaluationProgress] {
        try await local.store(recording, content: InMemoryContent([1, 2, 3]))
        let practice = server.practice()
        let evaluator = RemoteEvaluator(
            practice, recordings: RemoteRecordingRepository(practice, uploads: NoUploads()), local: local, clock: clock)
        var all: [EvaluationProgress] = []
        for try await progress in evaluator.evaluate(recording, of: try CueSamples.cue("Hello")) {
            all.append(progress)
        }
        return all
    }

    private func isThere() throws { try server.on("GET \(path)", json: RecordingDTO(recording)) }

    private func events(_ states: EvaluationStateDTO...) throws {
        let text = try states.map { state in
            "event: state\ndata: \(String(decoding: try WireJSON.encode(state), as: UTF8.self))\n\n"
        }
        server.on(
            "GET \(path)/evaluation/events", status: 200, ["Content-Type": "text/event-stream"],
            text: ": hello\n\nevent: other\ndata: x\n\n" + text.joined())
    }

    @Test func itIsUploadedAndFollowedByEvents() async throws {
        server.on("POST /uploads", status: 201, ["Location": "/uploads/1"])
        server.on("PATCH /uploads/1", status: 204, ["Upload-Offset": "3"])
        try events(.init(.waiting), .init(.running), .init(.done, evaluation: evaluation))
        #expect(try await progress().last == .done(evaluation))
        #expect(
            server.requests == [
                "GET \(path)", "POST /uploads", "PATCH /uploads/1", "GET \(path)/evaluation/events",
            ])
    }

    @Test func whatIsThereIsNotUploadedAgain() async throws {
        try isThere()
        try events(.init(.done, evaluation: evaluation))
        #expect(try await progress().last == .done(evaluation))
        #expect(server.requests == ["GET \(path)", "GET \(path)/evaluation/events"])
    }

    @Test func whereEventsDoNotComeThroughItAsks() async throws {
        try isThere()
        server.on("GET \(path)/evaluation/events", status: 200, ["Content-Type": "text/html"], text: "<html>")
        try server.on("GET \(path)/evaluation", json: EvaluationStateDTO(.waiting))
        server.on("GET \(path)/evaluation", status: 503)
        try server.on("GET \(path)/evaluation", json: EvaluationStateDTO(.done, evaluation: evaluation))
        let clock = ScriptedClock(isFrozen: true) { wait, _ in wait == .seconds(2) }
        #expect(try await progress(clock).last == .done(evaluation))
        #expect(server.requests.count { $0 == "GET \(path)/evaluation" } == 3)
    }

    @Test(arguments: [true, false]) func aRefusalIsTheServersWord(byEvents: Bool) async throws {
        try isThere()
        let state = EvaluationStateDTO(.failed, reason: "There is no speech in it.")
        if byEvents {
            try events(state)
        } else {
            server.on("GET \(path)/evaluation/events", status: 500)
            try server.on("GET \(path)/evaluation", json: state)
        }
        await #expect(throws: DomainError.server("There is no speech in it.")) { try await progress() }
        #expect(server.requests.count == (byEvents ? 2 : 3))
    }

    @Test func itTakesTooLong() async throws {
        try isThere()
        server.on("GET \(path)/evaluation/events", status: 500)
        try server.on("GET \(path)/evaluation", json: EvaluationStateDTO(.running))
        await #expect(throws: DomainError.timedOut(.evaluation)) {
            try await progress(ScriptedClock(isFrozen: true) { wait, _ in wait == .seconds(30) })
        }
    }

    @Test func whoIsNotSignedInIsTold() async throws {
        server.on("GET \(path)", status: 401)
        await #expect(throws: DomainError.signInNeeded) { try await progress() }
    }

    @Test func aSessionThatEndsMeanwhileIsTold() async throws {
        try isThere()
        server.on("GET \(path)/evaluation/events", status: 401)
        server.on("GET \(path)/evaluation", status: 401)
        await #expect(throws: DomainError.signInNeeded) { try await progress() }
    }
}
