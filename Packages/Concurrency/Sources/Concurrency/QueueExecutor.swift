// SPDX-License-Identifier: MIT

import Dispatch

/// Runs an actor's jobs one after another on a queue of their own, so that a blocking call never holds up a thread of
/// Swift's cooperative pool. The actor returns it as its `unownedExecutor`. Code without an actor uses ``run(_:)``.
public final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor.
    ///
    /// - Parameter label: The queue's name in debuggers.
    public init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    /// Runs a closure after everything that was enqueued before it. It may block.
    public func run(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// See `Executor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
