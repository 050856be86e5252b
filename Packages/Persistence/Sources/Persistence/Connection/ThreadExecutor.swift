// SPDX-License-Identifier: MIT

import Concurrency
import Dispatch
import Glibc

/// Runs an actor's jobs one after another on a thread of their own, so that a blocking call never holds up a thread of
/// Swift's cooperative pool, nor of any other.
final class ThreadExecutor: SerialExecutor {
    private enum Work {
        case job(UnownedJob, UnownedSerialExecutor)
        case call(@Sendable () -> Void)
    }

    /// The work that waits for the thread, and the thread's wake-up.
    private final class Queue: Sendable {
        private let state = Guarded((work: [Work](), isStopped: false))
        private let wakeUp = DispatchSemaphore(value: 0)

        func append(_ work: Work) {
            let wasEmpty = state.withLock { state in
                defer { state.work.append(work) }
                return state.work.isEmpty
            }
            if wasEmpty { wakeUp.signal() }
        }

        func stop() {
            state.withLock { $0.isStopped = true }
            wakeUp.signal()
        }

        /// All waiting work. Blocks the thread until there is some; nil after the last.
        func next() -> [Work]? {
            while true {
                wakeUp.wait()
                let (work, isStopped) = state.withLock { state in
                    defer { state.work.removeAll(keepingCapacity: true) }
                    return state
                }
                if !work.isEmpty { return work }
                if isStopped { return nil }
            }
        }
    }

    private let queue = Queue()

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
        queue.stop()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.append(.job(job, executor))
    }

    /// Runs a closure on the thread after the waiting work.
    func call(_ body: @escaping @Sendable () -> Void) {
        queue.append(.call(body))
    }

    private static func run(_ queue: Queue) {
        // Signals belong to the program's own threads; a fault of this one must reach the handler of crashes.
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        while let batch = queue.next() {
            for work in batch {
                switch work {
                case .job(let job, let executor): job.runSynchronously(on: executor)
                case .call(let body): body()
                }
            }
        }
    }
}
