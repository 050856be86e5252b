// SPDX-License-Identifier: MIT

import AuthTestSupport
import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import Security
import Testing

@testable import Auth

/// A clock that the test moves, and a calendar beside it that can be set to anything.
final class TestClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private struct State {
        var now = Instant()
        var date = Date(timeIntervalSince1970: 1_767_225_600)
        var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var last = 0
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock { $0.now } }
    var date: Date { state.withLock { $0.date } }
    var minimumResolution: Duration { .zero }
    var client: ClientClock { ClientClock(self) { self.date } }

    /// Lets time go by; `wakes` is false for a machine whose timers do not notice, as after a suspend.
    func advance(by duration: Duration, wakes: Bool = true) {
        let due = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
            state.now = state.now.advanced(by: duration)
            state.date.addTimeInterval(duration / .seconds(1))
            guard wakes else { return [] }
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for sleeper in due { sleeper.resume() }
    }

    /// Sets the calendar, and only that.
    func setCalendar(by seconds: TimeInterval) { state.withLock { $0.date.addTimeInterval(seconds) } }

    /// How long the sleepers have still to sleep.
    var remaining: [Duration] {
        state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.until) }.sorted() }
    }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[number] = (deadline, continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                guard let sleeper = state.sleepers.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return nil as CheckedContinuation<Void, any Error>?
                }
                return sleeper.continuation
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }
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
