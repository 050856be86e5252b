// SPDX-License-Identifier: MIT

/// Thrown inside this package when a wait took too long; each service translates it.
package struct StallLimitExceeded: Error {
    let limit: Duration
}

/// The result of `body`, which is cancelled when it takes longer than `limit`.
///
/// - Parameter start: Returns when the time starts to count; at once if nil.
/// - Throws: ``StallLimitExceeded``; the errors of `body`.
package func withStallLimit<Value: Sendable>(
    _ limit: Duration, clock: any Clock<Duration>, from start: (@Sendable () async throws -> Void)? = nil,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await start?()
            try await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        guard let value = first else { throw StallLimitExceeded(limit: limit) }
        return value
    }
}
