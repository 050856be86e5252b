// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency

/// Checks a bucket at most once in half a minute, since anybody may ask whether the server is ready and each check is
/// seven requests.
actor BucketCheck {
    private static let interval: Duration = .seconds(30)

    private let clock: AuthClock
    /// The last check that was begun.
    private var last: (time: AuthTime, result: Promise<Void>)?

    init(clock: AuthClock) { self.clock = clock }

    /// - Throws: The error of the last check; `CancellationError`, which ends only this caller's wait.
    func run(_ check: @escaping @Sendable () async throws -> Void) async throws {
        let now = clock.now()
        if let last, now < last.time + Self.interval { return try await last.result.value() }
        let result = Promise<Void>()
        last = (now, result)
        // A task of its own: who asked may hang up, which says nothing of the bucket.
        Task {
            do { result.resolve(.success(try await check())) } catch { result.resolve(.failure(error)) }
        }
        try await result.value()
    }
}
