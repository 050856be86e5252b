// SPDX-License-Identifier: MIT

import CSQLite
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
        let start = Start(name: String(decoding: name.utf8.prefix(15), as: UTF8.self), queue: queue)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let context = Unmanaged.passRetained(start)
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                ThreadExecutor.run(Unmanaged<Start>.fromOpaque(context).takeRetainedValue())
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
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

    private final class Start: Sendable {
        let name: String
        let queue: Monitor<Queue>

        init(name: String, queue: Monitor<Queue>) {
            self.name = name
            self.queue = queue
        }
    }

    private static func run(_ start: Start) {
        // Signals belong to the program's own threads.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        csqlite_name_thread(start.name)
        while true {
            let batch: [Work]? = start.queue.wait { queue in
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
