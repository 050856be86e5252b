// SPDX-License-Identifier: MIT

import AuthServer
import ObjectStore

/// Checks a bucket at most once in half a minute, since anybody may ask whether the server is ready and each check is
/// four requests.
actor BucketCheck {
    private static let interval: Duration = .seconds(30)

    private let clock: AuthClock
    private var last: (time: AuthTime, result: Result<Void, any Error>)?

    init(clock: AuthClock) { self.clock = clock }

    /// - Throws: The error of the last check.
    func run(_ objects: any ObjectStore) async throws {
        let now = clock.now()
        if let last, now < last.time + Self.interval { return try last.result.get() }
        let result: Result<Void, any Error>
        do { result = .success(try await objects.check()) } catch { result = .failure(error) }
        last = (now, result)
        try result.get()
    }
}
