// SPDX-License-Identifier: MIT

import Concurrency

/// The life of one item, as a pure state machine.
///
///     pending ──claim──▶ leased ──done──▶ done
///        ▲                 │
///        ├──retry, release,┤
///        │  lease ended    └──poison, attempts used up──▶ poisoned
///        └──────────────────────retried by a person──────────┘
enum OutboxState: Sendable, Equatable {
    case pending(attempts: Int, due: OutboxDeadline)
    case leased(attempts: Int, token: Int64, until: OutboxDeadline)
    case poisoned(attempts: Int, reason: String)
    case done

    enum Event: Sendable, Equatable {
        /// The time has changed, in any way.
        case look
        case claim(token: Int64)
        case renew(token: Int64)
        /// An attempt ended; `jitter` is a random number in 0..<1.
        case finish(token: Int64, OutboxOutcome, jitter: Double)
        /// A person demands another attempt.
        case revive
    }

    /// The reason why an event does not fit the state.
    enum Refusal: Error, Equatable {
        /// The item is not due, or is leased already.
        case notDue
        /// Another worker has the lease, or it has ended.
        case leaseLost
        case notPoisoned
    }

    struct Rules: Sendable, Equatable {
        var maximumAttempts: Int
        var lease: Duration
        var backoff: Backoff
    }

    static let workerLost = "the worker ended or stood still without an answer"

    func after(_ event: Event, at now: OutboxTime, rules: Rules) throws(Refusal) -> OutboxState {
        switch (self, event) {
        case (.pending(let attempts, let due), .look):
            return .pending(attempts: attempts, due: due.seen(at: now.elapsed, boot: now.boot))
        case (.leased(let attempts, let token, let until), .look):
            let until = until.seen(at: now.awake, boot: now.boot)
            guard until.hasPassed(at: now.awake) else {
                return .leased(attempts: attempts, token: token, until: until)
            }
            return Self.returned(attempts, due: .passed, reason: Self.workerLost, rules)
        case (_, .look): return self

        case (.pending(let attempts, let due), .claim(let token)):
            guard due.hasPassed(at: now.elapsed) else { throw .notDue }
            return .leased(attempts: attempts + 1, token: token, until: Self.lease(now, rules))
        case (_, .claim): throw .notDue

        // A lease that has ended but that no other worker has taken is still its worker's.
        case (.leased(let attempts, let token, _), .renew(let claimed)) where token == claimed:
            return .leased(attempts: attempts, token: token, until: Self.lease(now, rules))
        case (.leased(let attempts, let token, _), .finish(let claimed, let outcome, let jitter)) where token == claimed:
            switch outcome {
            case .done: return .done
            case .release: return .pending(attempts: attempts - 1, due: .passed)
            case .poison(let reason): return .poisoned(attempts: attempts, reason: reason)
            case .retry(let reason, let after):
                let delay = max(after, rules.backoff.delay(afterFailures: attempts, chance: jitter))
                let due = OutboxDeadline(delay, after: now.elapsed, boot: now.boot)
                return Self.returned(attempts, due: due, reason: reason, rules)
            }
        case (_, .renew), (_, .finish): throw .leaseLost

        case (.poisoned, .revive): return .pending(attempts: 0, due: .passed)
        case (_, .revive): throw .notPoisoned
        }
    }

    private static func lease(_ now: OutboxTime, _ rules: Rules) -> OutboxDeadline {
        OutboxDeadline(rules.lease, after: now.awake, boot: now.boot)
    }

    private static func returned(
        _ attempts: Int, due: OutboxDeadline, reason: String, _ rules: Rules
    ) -> OutboxState {
        attempts < rules.maximumAttempts
            ? .pending(attempts: attempts, due: due) : .poisoned(attempts: attempts, reason: reason)
    }
}

extension DatabaseError.Code {
    /// The outbox has reached a limit of its configuration.
    public static let outboxFull = DatabaseError.Code(rawValue: "outboxFull")
    /// The lease ended and another worker may have the item; this worker's outcome no longer counts.
    public static let leaseLost = DatabaseError.Code(rawValue: "leaseLost")
    /// The item is not poisoned, or does not exist.
    public static let notPoisoned = DatabaseError.Code(rawValue: "notPoisoned")
}

extension DatabaseError {
    init(refusal: OutboxState.Refusal) {
        switch refusal {
        case .leaseLost, .notDue:
            self.init(
                code: .leaseLost,
                message:
                    "The lease ended before the work, so another worker gets the item: renew it in time, or "
                    + "make it longer.")
        case .notPoisoned:
            self.init(code: .notPoisoned, message: "Only a poisoned item can be retried or discarded.")
        }
    }
}
