// SPDX-License-Identifier: MIT

import Concurrency

/// The number of uses of an engine at once; others wait.
final class EngineSlots: Sendable {
    private let free: Monitor<Int>

    init(_ count: Int) { free = Monitor(max(1, count)) }

    /// Runs `body` as soon as a slot is free.
    func use<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        while !take() { try await free.wait { $0 > 0 } }
        defer { release() }
        return try await body()
    }

    /// Takes a slot that is free now; ``release()`` gives it back.
    func take() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func release() { free.withLock { $0 += 1 } }
}
