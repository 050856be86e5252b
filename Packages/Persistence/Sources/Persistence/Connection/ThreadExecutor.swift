// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// Runs an actor's jobs one after another on a thread of their own, so that a blocking call never holds up a thread of
/// Swift's cooperative pool, nor of any other.
final class ThreadExecutor: SerialExecutor {
    private enum Work {
        case job(UnownedJob, UnownedSerialExecutor)
        case call(@Sendable () -> Void)
    }

    private struct Queue {
        var work: [Work] = []
        var isStopped = false
    }

    private let queue = Monitor(Queue())

    /// Starts the thread.
    ///
    /// - Parameter name: Its name in `ps -L` and debuggers, at most 15 bytes.
    /// - Throws: ``DatabaseError`` when the system has no thread left.
    init(name: String) throws {
        let queue = queue
        guard DetachedThread.start(name: name, { Self.run(queue) }) else {
            throw DatabaseError(code: .other, message: "The system starts no more threads; close what is not in use.")
        }
    }

    deinit {
        queue.signal { $0.isStopped = true }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.signal { $0.work.append(.job(job, executor)) }
    }

    /// Runs a closure on the thread after what waits already.
    func call(_ body: @escaping @Sendable () -> Void) {
        queue.signal { $0.work.append(.call(body)) }
    }

    private static func run(_ queue: Monitor<Queue>) {
        // Signals belong to the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        while true {
            let batch: [Work]? = queue.wait { queue in
                if queue.work.isEmpty { return queue.isStopped ? .some(nil) : nil }
                defer { queue.work.removeAll(keepingCapacity: true) }
                return queue.work
            }
            guard let batch else { return }
            for work in batch {
                switch work {
                case .job(let job, let executor): job.runSynchronously(on: executor)
                case .call(let body): body()
                }
            }
        }
    }
}
