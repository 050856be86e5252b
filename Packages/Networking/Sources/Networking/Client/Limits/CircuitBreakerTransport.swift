// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics

/// The limits of a circuit breaker.
public struct CircuitBreakerPolicy: Sendable {
    /// The failures in a row that open the circuit: connection faults, time-outs, and 500, 502, 503, 504.
    public var threshold = 5
    /// The time until one request may try again.
    public var openFor = Duration.seconds(15)

    /// Five failures, 15 s.
    public init() {}
}

/// Fails at once, with the code `circuitOpen`, while an origin keeps failing.
final class CircuitBreakerTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let policy: CircuitBreakerPolicy
    private let clock: ClientClock
    /// The circuits that have seen a failure; every other one is closed.
    private let circuits = Guarded<[Origin: CircuitBreakerStateMachine]>([:])

    /// The stage in front of `next`.
    init(next: any HTTPTransport, policy: CircuitBreakerPolicy = CircuitBreakerPolicy(), clock: ClientClock = .system) {
        self.next = next
        self.policy = policy
        self.clock = clock
    }

    /// Sends the request if the origin's circuit is closed.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let origin = Origin(request.url)
        let isAdmitted = circuits.withLock { $0[origin]?.admits(now: clock.now()) ?? true }
        guard isAdmitted else {
            throw NetworkError(
                code: .circuitOpen, message: "\(origin) has failed several times of late. Try again in a while.")
        }
        do {
            let response = try await next.send(request)
            note(origin, isSuccess: !response.isServerFault)
            return response
        } catch {
            // This machine's lack of memory says nothing about the origin.
            let isFault = (error as? NetworkError).map { $0.isTransient && $0.code != .outOfMemory } ?? false
            note(origin, isSuccess: isFault ? false : nil)
            throw error
        }
    }

    /// The time until a request to the origin may be sent; nil for none.
    func pause(_ origin: Origin) -> Duration? {
        circuits.withLock { $0[origin]?.pause(now: clock.now()) }
    }

    private func note(_ origin: Origin, isSuccess: Bool?) {
        circuits.withLock { circuits in
            guard isSuccess == false || circuits[origin] != nil else { return }
            var circuit =
                circuits[origin] ?? CircuitBreakerStateMachine(threshold: policy.threshold, openFor: policy.openFor)
            circuit.ended(isSuccess: isSuccess, now: clock.now())
            circuits[origin] = circuit.state == .closed(failures: 0) ? nil : circuit
        }
    }
}

/// Fails requests to an origin that keeps failing, and after a while admits one as a probe. Pure.
struct CircuitBreakerStateMachine: Sendable {
    enum State: Equatable {
        case closed(failures: Int)
        case open(until: Duration)
        case halfOpen
    }

    private let threshold: Int
    private let openFor: Duration
    private(set) var state = State.closed(failures: 0)

    init(threshold: Int, openFor: Duration) {
        self.threshold = max(threshold, 1)
        self.openFor = openFor
    }

    /// True if a request may be sent now. The first one after the open state is the probe.
    mutating func admits(now: Duration) -> Bool {
        switch state {
        case .closed: return true
        case .halfOpen: return false
        case .open(let until):
            guard until <= now else { return false }
            state = .halfOpen
            return true
        }
    }

    /// The time until the probe may be sent; nil if a request may be sent now, or a probe is under way.
    func pause(now: Duration) -> Duration? {
        guard case .open(let until) = state, until > now else { return nil }
        return until - now
    }

    /// Ends a request that was admitted; `nil` says nothing about the origin, such as a cancellation.
    mutating func ended(isSuccess: Bool?, now: Duration) {
        switch (state, isSuccess) {
        case (.closed, true?): state = .closed(failures: 0)
        case (.closed(let failures), false?):
            state = failures + 1 >= threshold ? .open(until: now + openFor) : .closed(failures: failures + 1)
        case (.halfOpen, true?): state = .closed(failures: 0)
        case (.halfOpen, false?): state = .open(until: now + openFor)
        // The probe gave no result: the next request is one again.
        case (.halfOpen, nil): state = .open(until: now)
        case (.open, _), (.closed, nil): break
        }
    }
}
