// SPDX-License-Identifier: MIT

import Dispatch

/// A single call that blocks, off Swift's cooperative pool. Calls in a row belong to an actor on a ``QueueExecutor``.
public enum BlockingCall {
    /// The result of `body`, run on a separate queue. It is not cancelled with the task.
    public static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // The result passes through a lock, which the thread sanitizer understands; a continuation alone it does not.
        let outcome = Guarded<Result<Value, Failure>?>(nil)
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "parley.blocking-call").async {
                let result = Result { () throws(Failure) in try body() }
                outcome.withLock { $0 = result }
                continuation.resume()
            }
        }
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("The queue ran nothing.") }
        return try result.get()
    }
}
