// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Testing

@Suite struct SessionManagerTests {
    private let profile = Profile(account: "a", email: "ada@example.org", createdAt: Date(timeIntervalSince1970: 0))
    private let config = RuntimeConfig(
        rules: [Flags.evaluationTimeLimit.name: .init(value: .integer(5))], fetchedAt: Date(timeIntervalSince1970: 1))
    private let now = Date(timeIntervalSince1970: 2)

    @Test func activatingAsksKeepsAndTells() async throws {
        let store = InMemoryRuntimeConfigStore()
        let service = ScriptedSessionService(answer: .success((profile, config)))
        let manager = SessionManager(account: "a", service: service, store: store)
        let before = try await manager.stored()
        #expect(before.profile == nil && before.config == nil)
        #expect(before.flags.value(Flags.evaluationTimeLimit, at: now) == 30)

        let active = try await manager.activate()
        #expect(active.profile == profile && active.config == config && active.problem == nil)
        #expect(active.flags.resolve(Flags.evaluationTimeLimit.name, fallback: .integer(30), at: now).source == .server)

        await service.set(.failure(.offline("No route.")))
        let offline = try await manager.activate()
        #expect(offline.profile == nil && offline.config == config && offline.problem == .offline("No route."))
        #expect(offline.flags.value(Flags.evaluationTimeLimit, at: now) == 5)
        #expect(
            offline.flags.resolve(Flags.evaluationTimeLimit.name, fallback: .integer(30), at: now).source == .stored)
    }

    @Test func nobodySignedInAsksNobodyAndSeesNoOthersFlags() async throws {
        let store = InMemoryRuntimeConfigStore()
        try await store.store(config, for: "a")
        let session = try await SessionManager(account: nil, service: nil, store: store).activate()
        #expect(session.config == nil && session.problem == nil)
        #expect(session.flags.value(Flags.evaluationTimeLimit, at: now) == 30)
    }

    @Test func aFileComesFirst() async throws {
        let manager = SessionManager(
            account: nil, service: nil, store: InMemoryRuntimeConfigStore(),
            overrides: ["evaluationTimeLimit": .integer(1)])
        #expect(try await manager.stored().flags.value(Flags.evaluationTimeLimit, at: now) == 1)
    }

    @Test func heartbeatsGoOnAfterOneThatFailed() async throws {
        let offline = DomainError.offline("No route.")
        let service = ScriptedSessionService(answer: .failure(offline)) { number throws(DomainError) in
            if number.isMultiple(of: 2) { throw offline }
        }
        let manager = SessionManager(account: "a", service: service, store: InMemoryRuntimeConfigStore())
        let beating = Task { await manager.sendHeartbeats(every: .milliseconds(1), clock: ContinuousClock()) }
        await service.heartbeats(3)
        beating.cancel()
        await beating.value
        await manager.sendHeartbeats(every: .zero, clock: ContinuousClock())
    }
}
