// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import Synchronization
import TestKit
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
        let beating = Task { await manager.sendHeartbeats(now: { Date() }, clock: ScriptedClock()) }
        await service.heartbeats(3)
        beating.cancel()
        await beating.value
    }

    @Test func `heartbeats follow the flag`() async throws {
        let beats = Mutex(0)
        let service = ScriptedSessionService(answer: .success((profile, config))) { number in
            beats.withLock { $0 = number }
        }
        let store = ChangingInterval(seconds: [0, 0, 700, 700, 700, 700, .max])
        let manager = SessionManager(account: "a", service: service, store: store)
        let (waited, continuation) = AsyncStream<Void>.makeStream()
        let clock = ScriptedClock { _, number in
            if number == 6 { continuation.finish() }
            return number < 6
        }
        let beating = Task { [now] in await manager.sendHeartbeats(now: { now }, clock: clock) }
        for await _ in waited {}
        beating.cancel()
        await beating.value
        let expected: [Duration] = [300, 300, 300, 300, 100, 300, 300].map { .seconds($0) }
        #expect(clock.waits == expected)
        #expect(beats.withLock { $0 } == 2)
    }
}

/// Configurations whose interval of heartbeats changes from one reading to the next.
private actor ChangingInterval: RuntimeConfigStore {
    private var seconds: ArraySlice<Int>

    init(seconds: [Int]) { self.seconds = seconds[...] }

    func store(_ config: RuntimeConfig, for account: String?) {}

    func config(for account: String?) -> RuntimeConfig? {
        seconds.popFirst().map { seconds in
            RuntimeConfig(
                rules: [Flags.heartbeatInterval.name: .init(value: .integer(seconds))],
                fetchedAt: Date(timeIntervalSince1970: 0))
        }
    }

    func installation() -> String { "installation" }
}
