// SPDX-License-Identifier: MIT

import Concurrency

/// Lets each account do a few things of a kind at once; more wait in order. It bounds the memory that one account's
/// requests take, and an account waits for no other.
final class AccountSlots: Sendable {
    private struct Line {
        var running = 0
        var waiting: [Promise<Void>] = []
    }

    private let limit: Int
    private let lines = Guarded<[String: Line]>([:])

    /// - Parameter limit: The most at once for an account.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `body` once the account has a free slot.
    ///
    /// - Throws: `CancellationError` while it waits, and the errors of `body`.
    func run<Value: Sendable>(_ account: String, _ body: () async throws -> Value) async throws -> Value {
        let turn = lines.withLock { lines -> Promise<Void>? in
            if lines[account, default: Line()].running < limit {
                lines[account, default: Line()].running += 1
                return nil
            }
            let turn = Promise<Void>()
            lines[account, default: Line()].waiting.append(turn)
            return turn
        }
        if let turn {
            do {
                try await turn.valueOrGivingUp()
            } catch {
                lines.withLock { $0[account]?.waiting.removeAll { $0 === turn } }
                throw error
            }
        }
        defer { leave(account) }
        return try await body()
    }

    /// The number of accounts with something running; for tests.
    var count: Int { lines.withLock { $0.count } }

    /// Passes the slot to the first who still waits for it.
    private func leave(_ account: String) {
        while true {
            let next = lines.withLock { lines -> Promise<Void>? in
                guard var line = lines[account] else { return nil }
                guard line.waiting.isEmpty else {
                    let next = line.waiting.removeFirst()
                    lines[account] = line
                    return next
                }
                line.running -= 1
                lines[account] = line.running > 0 ? line : nil
                return nil
            }
            guard let next, !next.resolve() else { return }
        }
    }
}
