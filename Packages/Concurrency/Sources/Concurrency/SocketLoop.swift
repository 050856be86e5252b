// SPDX-License-Identifier: MIT

/// Waits for any number of sockets on one thread, so that tasks can wait for them without a thread each.
public final class SocketLoop: Sendable {
    /// A direction in which a socket is ready.
    public enum Direction: Sendable, Hashable {
        /// There is input, an end or an error.
        case reading
        /// There is room for output, or an error.
        case writing
    }

    private struct State {
        var waiting: [Int32: [Direction: Promise<Void>]] = [:]
        var isClosed = false
    }

    private let queue: SocketQueue
    private let state = Guarded(State())

    /// Starts the thread, which ends with ``close()``.
    ///
    /// - Parameter name: The thread's name in `ps -L`.
    /// - Throws: ``SocketError`` with `outOfResources`.
    public init(name: String) throws(SocketError) {
        let exhausted = SocketError(.outOfResources, "The system has no more descriptors or threads.")
        guard let queue = SocketQueue() else { throw exhausted }
        self.queue = queue
        guard DetachedThread.start(name: name, { [self] in run() }) else { throw exhausted }
    }

    /// Returns when a socket that does not block is ready, or has failed. One task waits for each direction of a socket.
    ///
    /// - Throws: `CancellationError`; ``SocketError`` with `closed` after ``close()`` or ``forget(_:)``.
    public func wait(for descriptor: Int32, _ direction: Direction) async throws {
        try await finish(try begin(descriptor, direction))
    }

    /// A wait that has begun, so that a socket cannot be closed, and its number be given to another, in between.
    struct Wait: Sendable {
        fileprivate let descriptor: Int32
        fileprivate let direction: Direction
        fileprivate let promise = Promise<Void>()
    }

    func begin(_ descriptor: Int32, _ direction: Direction) throws(SocketError) -> Wait {
        let wait = Wait(descriptor: descriptor, direction: direction)
        try state.withLock { state throws(SocketError) in
            guard !state.isClosed else { throw Self.closed }
            state.waiting[descriptor, default: [:]][direction] = wait.promise
            watch(descriptor, state)
        }
        return wait
    }

    func finish(_ wait: Wait) async throws {
        do { try await wait.promise.value() } catch {
            state.withLock { state in
                guard state.waiting[wait.descriptor]?[wait.direction] === wait.promise else { return }
                state.waiting[wait.descriptor]?[wait.direction] = nil
                watch(wait.descriptor, state)
            }
            throw error
        }
    }

    /// Ends the waits for a socket, as must be done before it is closed.
    public func forget(_ descriptor: Int32) {
        let waiting = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: descriptor)
            watch(descriptor, state)
            return waiting
        }
        for promise in (waiting ?? [:]).values { promise.resolve(.failure(Self.closed)) }
    }

    /// Ends the thread and all waits.
    public func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for promise in waiting.values.flatMap(\.values) { promise.resolve(.failure(Self.closed)) }
        queue.wake()
    }

    static let closed = SocketError(.closed, "The socket was closed.")

    /// Called under the lock, as the queue takes one caller at a time.
    private func watch(_ descriptor: Int32, _ state: State) {
        let waiting = state.waiting[descriptor] ?? [:]
        queue.set(descriptor, reads: waiting[.reading] != nil, writes: waiting[.writing] != nil)
    }

    private func run() {
        var ready: [SocketQueue.Readiness] = []
        while !state.withLock({ $0.isClosed }) {
            ready.removeAll(keepingCapacity: true)
            queue.wait(until: .never, into: &ready)
            let resumed = state.withLock { state in
                ready.flatMap { socket in
                    var resumed: [Promise<Void>] = []
                    for (direction, isReady) in [
                        (Direction.reading, socket.isReadable), (.writing, socket.isWritable || socket.isBroken),
                    ] where isReady {
                        if let promise = state.waiting[socket.descriptor]?.removeValue(forKey: direction) {
                            resumed.append(promise)
                        }
                    }
                    if state.waiting[socket.descriptor]?.isEmpty == true { state.waiting[socket.descriptor] = nil }
                    watch(socket.descriptor, state)
                    return resumed
                }
            }
            for promise in resumed { promise.resolve() }
        }
    }
}
