// SPDX-License-Identifier: MIT

import AuthTestSupport
import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import Security
import TestKit
import Testing

@testable import Auth

/// A clock that the test moves, and a calendar beside it that can be set to anything.
final class TestClock: Sendable {
    private let clock = ManualClock()
    private let calendar = Guarded(Date(timeIntervalSince1970: 1_767_225_600))

    var date: Date { calendar.withLock { $0 } }
    var client: ClientClock { ClientClock(clock) { self.date } }
    /// The rest of each sleeper's wait, the shortest first.
    var remaining: [Duration] { clock.remaining }

    /// Moves both; `wakes` is false for a machine whose timers do not notice, as after a suspend.
    func advance(by duration: Duration, wakes: Bool = true) {
        setCalendar(by: duration / .seconds(1))
        clock.advance(by: duration, wakes: wakes)
    }

    /// Sets the calendar, and only that.
    func setCalendar(by seconds: TimeInterval) { calendar.withLock { $0.addTimeInterval(seconds) } }
}

/// Stops whoever comes, until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    var waiterCount: Int { state.withLock(\.waiting.count) }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A store that fails as often as the test says.
final class FailingStore: SecretStore {
    let base = InMemorySecretStore()
    let failures = Guarded(0)
    /// Run once, after a value was read and before it is given; and before a name is deleted.
    let afterReading = Guarded<(@Sendable () async -> Void)?>(nil)
    let beforeDeleting = Guarded<(@Sendable () async -> Void)?>(nil)

    func set(_ value: Sensitive<[UInt8]>, for name: SecretName) async throws {
        let fails = failures.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if fails { throw SecretStoreError(code: .diskFull, message: "No room.") }
        try await base.set(value, for: name)
    }

    func value(for name: SecretName) async throws -> Sensitive<[UInt8]>? {
        let value = await base.value(for: name)
        await once(afterReading)
        return value
    }

    func delete(_ name: SecretName) async throws -> Bool {
        await once(beforeDeleting)
        return await base.delete(name)
    }

    private func once(_ hook: borrowing Guarded<(@Sendable () async -> Void)?>) async {
        let body = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        await body?()
    }

    func names(service: String?) async throws -> [SecretName] { await base.names(service: service) }
}

/// A program, or several, that sign in at one server in memory.
final class SessionFixture: Sendable {
    let clock = TestClock()
    let server: ScriptedGoTrue
    let store = FailingStore()
    let lock: SessionLock
    let controller: SessionController
    let email = "ada@example.org"

    init(lifetime: Int = 3_600, patience: Duration = .seconds(45)) throws {
        lock = .inProcess(patience: patience)
        let clock = clock
        server = ScriptedGoTrue(lifetime: lifetime) { clock.date }
        controller = try Self.controller(server, store, lock, clock)
    }

    private static func controller(
        _ server: ScriptedGoTrue, _ store: any SecretStore, _ lock: SessionLock, _ clock: TestClock
    ) throws -> SessionController {
        let client = try GoTrueClient(baseURL: try #require(base), transport: server, clock: clock.client)
        return try SessionController(client: client, store: store, lock: lock, clock: clock.client)
    }

    /// Another program with the same store.
    func another() throws -> SessionController { try Self.controller(server, store, lock, clock) }

    func signIn() async throws {
        try await controller.start()
        try await controller.requestLink(to: email)
        try await controller.verify(code: try #require(server.mail(of: email)).code)
    }

    var records: AuthRecords {
        get throws { try AuthRecords(store: store, server: try #require(base)) }
    }
}
