// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@testable import DataLayer
@testable import PracticeWire

/// Evaluations that the server finished after nobody waited for them.
@Suite(.timeLimit(.minutes(5))) struct LateEvaluationTests {
    private let server = ScriptedServer()
    private let database: PracticeDatabase
    private let queue: OutboxSyncQueue
    private let store: SQLiteEvaluationStore
    private let evaluation = PracticeSamples.evaluation(source: .server)

    init() async throws {
        database = try await PracticeDatabase()
        _ = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
        queue = OutboxSyncQueue(database, account: "ada")
        store = SQLiteEvaluationStore(database, owner: "ada")
        try server.on("GET /changes", json: PracticeChangesDTO(PracticeChanges(next: 0, hasMore: false)))
    }

    private func pull(daysLater days: Double = 0) async throws -> [Int] {
        let now = Date().addingTimeInterval(days * 86_400)
        let summary = try await ChangePuller(
            database, account: "ada", server: server.practice(), program: "1", now: { now }
        ).pull()
        return [summary.evaluations, summary.awaited]
    }

    private func answer(_ id: Identifier<Recording>, _ state: EvaluationStateDTO) throws {
        try server.on("GET /recordings/\(id)/evaluation", json: state)
    }

    @Test func oneComesWhenItIsThere() async throws {
        let id = Identifier<Recording>()
        try await queue.noteSent(id)
        for state in [.waiting, .running] as [EvaluationStateDTO.Stage] { try answer(id, EvaluationStateDTO(state)) }
        try answer(id, EvaluationStateDTO(.done, evaluation: evaluation))
        #expect(try await pull() == [0, 1])
        #expect(try await pull() == [0, 1])
        #expect(try await pull() == [1, 0])
        #expect(try await store.evaluations(of: id) == [.server: evaluation])
        let asked = server.requests.count
        #expect(try await pull() == [0, 0])
        #expect(server.requests.count == asked + 1, "only changes are asked for")
    }

    @Test func oneThatWasSeenOrThatFailedIsNotAskedForAgain() async throws {
        let (seen, failed, late) = (Identifier<Recording>(), Identifier<Recording>(), Identifier<Recording>())
        try await store.store(evaluation, of: seen)
        for id in [seen, failed, late] { try await queue.noteSent(id) }
        try answer(failed, EvaluationStateDTO(.failed, reason: "no sound"))
        try await store.store(evaluation, of: late)
        #expect(try await pull() == [0, 0])
        #expect(server.requests.filter { $0.contains("evaluation") } == ["GET /recordings/\(failed)/evaluation"])
    }

    @Test func aRecordingThatAnotherDeviceStillSendsIsAskedAboutForAWeek() async throws {
        let result = try PracticeSamples.result(recording: .init())
        var changes = PracticeChanges(next: 1, hasMore: false)
        changes.results = [result]
        let server = ScriptedServer()
        try server.on("GET /changes", json: PracticeChangesDTO(changes))
        func pull(_ days: Double) async throws -> Int {
            let now = Date().addingTimeInterval(days * 86_400)
            return try await ChangePuller(
                database, account: "ada", server: server.practice(), program: "1", now: { now }
            ).pull()
                .awaited
        }
        #expect(try await pull(0) == 1)
        #expect(try await pull(6.9) == 1)
        #expect(try await pull(7.1) == 0)
    }

    @Test func `one that cannot be read holds no other up`() async throws {
        let ids = (0..<3).map { _ in Identifier<Recording>() }
        for id in ids { try await queue.noteSent(id) }
        server.on("GET /recordings/\(ids[0])/evaluation", status: 200, text: "[]")
        for id in ids.dropFirst() { try answer(id, EvaluationStateDTO(.done, evaluation: evaluation)) }
        await #expect(throws: DomainError.self) { _ = try await pull() }
        for id in ids.dropFirst() { #expect(try await store.evaluations(of: id) == [.server: evaluation]) }
        try answer(ids[0], EvaluationStateDTO(.done, evaluation: evaluation))
        while (try? await pull())?.last != 0 { try Task.checkCancellation() }
        #expect(try await store.evaluations(of: ids[0]) == [.server: evaluation])
    }

    @Test func withoutANetworkWhatCameStays() async throws {
        let ids = (0..<3).map { _ in Identifier<Recording>() }
        for id in ids { try await queue.noteSent(id) }
        for id in ids { server.on("GET /recordings/\(id)/evaluation") { _ in throw DomainError.offline("cut") } }
        await #expect(throws: DomainError.self) { _ = try await pull() }
        // Each of them answers once, and then for good: the failed one is asked for again, and nothing is lost.
        for id in ids { try answer(id, EvaluationStateDTO(.done, evaluation: evaluation)) }
        while (try? await pull())?.last != 0 { try Task.checkCancellation() }
        for id in ids { #expect(try await store.evaluations(of: id) == [.server: evaluation]) }
    }
}
