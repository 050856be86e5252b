// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Dispatch

/// Runs what waits for the disk, away from Swift's cooperative threads.
struct DiskQueue: Sendable {
    private let queue = DispatchQueue(label: "parley-server.disk", attributes: .concurrent)

    /// The result of `body`. Cancelling the task does not cancel it.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        // The result goes through a lock, which the thread sanitizer understands; a continuation alone it does not.
        let outcome = Guarded<Result<Value, any Error>?>(nil)
        await withCheckedContinuation { continuation in
            queue.async {
                let result = Result(catching: body)
                outcome.withLock { $0 = result }
                continuation.resume()
            }
        }
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("The queue ran nothing.") }
        return try result.get()
    }
}
