// SPDX-License-Identifier: MIT

import Diagnostics
import Dispatch

/// Runs what blocks away from Swift's cooperative threads.
package enum BlockingCall {
    /// The result of `body`, run on a queue of its own.
    package static func run<Value: Sendable>(
        label: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        // The result goes through a lock, which the thread sanitizer understands; a continuation alone it does not.
        let outcome = Guarded<Result<Value, any Error>?>(nil)
        await withCheckedContinuation { continuation in
            DispatchQueue(label: label).async {
                let result = Result(catching: body)
                outcome.withLock { $0 = result }
                continuation.resume()
            }
        }
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("The queue ran nothing.") }
        return try result.get()
    }
}
