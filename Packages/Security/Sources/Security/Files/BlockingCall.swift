// SPDX-License-Identifier: MIT

import Dispatch

/// Runs what blocks away from Swift's cooperative threads.
package enum BlockingCall {
    /// The result of `body`, run on a queue of its own.
    package static func run<Value: Sendable>(
        label: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: label).async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
