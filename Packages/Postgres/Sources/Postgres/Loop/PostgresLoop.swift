// SPDX-License-Identifier: MIT

import CPostgres
import Concurrency
import Dispatch
import Glibc
import Synchronization

/// A socket or a deadline that a loop watches.
protocol LoopMember: AnyObject, Sendable {
    /// The socket is ready. On the loop's thread.
    func ready(_ readiness: SocketQueue.Readiness)
    /// Acts on deadlines that have passed. On the loop's thread.
    ///
    /// - Returns: The next one; `never` without one.
    func expire(at now: MonotonicTime) -> MonotonicTime
}

/// One thread that waits for all sockets of a database, and runs the closures of its transactions.
///
/// A closure that runs on the thread that received the answer needs no second thread to be woken for each statement,
/// which would double the time of a short one. Code of a closure that computes for long holds up other transactions;
/// ``PostgresDatabase`` says so.
final class PostgresLoop: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var sockets: [Int32: any LoopMember] = [:]
        var timed: [ObjectIdentifier: any LoopMember] = [:]
        var isSleeping = false
        var isStopped = false
        var hasEnded = false

        /// True if nothing is left to do, for good.
        var isOver: Bool { isStopped && timed.isEmpty && jobs.isEmpty }
    }

    private let queue: SocketQueue
    private let state = Guarded(State())
    /// Becomes readable at `nextCheck`. A time limit of each wait would cost more than the rest of it.
    private let timer: Int32
    /// No deadline ends before this reading of the clock. Written under the lock.
    private let nextCheck = Atomic<Int64>(.max)

    /// Starts the thread.
    init() throws(PostgresError) {
        guard let queue = SocketQueue() else { throw Self.exhausted }
        self.queue = queue
        timer = cpostgres_timer()
        guard timer >= 0 else { throw Self.exhausted }
        queue.set(timer, reads: true, writes: false)
        guard DetachedThread.start(name: "postgres", { [self] in run() }) else { throw Self.exhausted }
    }

    deinit { if timer >= 0 { close(timer) } }

    /// Ends the thread once the members have left. Jobs that arrive later run elsewhere.
    func stop() {
        state.withLock { $0.isStopped = true }
        queue.wake()
    }

    // MARK: Members

    /// Watches a member's deadlines until ``remove(_:)``.
    func add(_ member: any LoopMember) {
        state.withLock { $0.timed[ObjectIdentifier(member)] = member }
    }

    /// Watches a socket until it is watched for nothing, as it must be before it is closed.
    func watch(_ socket: Int32, for member: any LoopMember, reads: Bool, writes: Bool) {
        state.withLock { state in
            state.sockets[socket] = reads || writes ? member : nil
            queue.set(socket, reads: reads, writes: writes)
        }
    }

    func remove(_ member: any LoopMember) {
        let isOver = state.withLock { state in
            state.timed[ObjectIdentifier(member)] = nil
            return state.isOver
        }
        if isOver { queue.wake() }
    }

    /// Makes sure that members' deadlines are checked at this time.
    func check(by deadline: MonotonicTime) {
        guard deadline.nanoseconds < nextCheck.load(ordering: .relaxed) else { return }
        state.withLock { _ in
            guard deadline.nanoseconds < nextCheck.load(ordering: .relaxed) else { return }
            nextCheck.store(deadline.nanoseconds, ordering: .relaxed)
            cpostgres_set_timer(timer, max(1, deadline.nanoseconds))
        }
    }

    // MARK: Executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (wakes, hasEnded) = state.withLock { state in
            if state.hasEnded { return (false, true) }
            state.jobs.append(job)
            defer { state.isSleeping = false }
            return (state.isSleeping, false)
        }
        if wakes { queue.wake() }
        // A closure that outlives its database still gets its errors.
        if hasEnded { DispatchQueue.global().async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) } }
    }

    // MARK: The thread

    private func run() {
        var ready: [SocketQueue.Readiness] = []
        var members: [(any LoopMember)?] = []
        var jobs: [UnownedJob] = []
        let executor = asUnownedTaskExecutor()
        while true {
            let isOver = state.withLock { state in
                state.hasEnded = state.isOver
                swap(&state.jobs, &jobs)
                state.isSleeping = jobs.isEmpty
                return state.hasEnded
            }
            if isOver { return }
            var waits = jobs.isEmpty
            if !waits {
                for job in jobs { job.runSynchronously(on: executor) }
                jobs.removeAll(keepingCapacity: true)
                // Closures that run on and on do not hold up the sockets.
                waits = state.withLock { state in
                    state.isSleeping = state.jobs.isEmpty && !state.isOver
                    return state.isSleeping
                }
            }
            queue.wait(until: waits ? .never : .distantPast, into: &ready)
            state.withLock { state in
                state.isSleeping = false
                for readiness in ready { members.append(state.sockets[readiness.descriptor]) }
            }
            for (member, readiness) in zip(members, ready) {
                if readiness.descriptor == timer { checkDeadlines() } else { member?.ready(readiness) }
            }
            ready.removeAll(keepingCapacity: true)
            members.removeAll(keepingCapacity: true)
        }
    }

    private func checkDeadlines() {
        var count: UInt64 = 0
        _ = read(timer, &count, MemoryLayout<UInt64>.size)
        let now = MonotonicTime.now
        let members = state.withLock { state in
            // A deadline that is set from here on sets the timer again.
            nextCheck.store(.max, ordering: .relaxed)
            return Array(state.timed.values)
        }
        for member in members { check(by: member.expire(at: now)) }
    }

    private static let exhausted = PostgresError(
        code: .other, message: "The system has no thread or file left for the database. Close files and try again.")
}
