// SPDX-License-Identifier: MIT

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock, which starts at zero.
    public struct Instant: InstantProtocol, Sendable {
        /// The time since the clock's start.
        public var offset: Duration

        /// A time.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// See `InstantProtocol`.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// See `InstantProtocol`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// The earlier time is less.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let isReady: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
        var cancelled: Set<Int> = []
        var lastID = 0
    }

    private let state = Lock(State())

    /// A clock at zero.
    public init() {}

    /// The time.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// The rest of each sleeper's wait, the shortest first.
    public var remaining: [Duration] {
        state.withLock { state in state.sleepers.map { state.now.duration(to: $0.deadline) }.sorted() }
    }

    /// Sleeps until the test has moved the clock to the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (result, ready) = state.withLock {
                    state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    let (watchers, seen) = (state.watchers, state)
                    let ready = watchers.filter { $0.isReady(seen) }
                    state.watchers = watchers.filter { !$0.isReady(seen) }
                    return (nil, ready.map(\.continuation))
                }
                if let result { continuation.resume(with: result) }
                for watcher in ready { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil as CheckedContinuation<Void, any Error>?
                }
                return state.sleepers.remove(at: index).continuation
            }
            sleeper?.resume(throwing: CancellationError())
        }
    }

    /// Waits until `count` tasks sleep.
    public func waitForSleepers(_ count: Int = 1) async {
        await wait { $0.sleepers.count >= count }
    }

    /// Waits until a task has `remaining` left to sleep.
    public func waitForSleeper(of remaining: Duration) async {
        await wait { state in state.sleepers.contains { state.now.duration(to: $0.deadline) == remaining } }
    }

    private func wait(until isReady: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReadyNow = state.withLock { state in
                if isReady(state) { return true }
                state.watchers.append(Watcher(isReady: isReady, continuation: continuation))
                return false
            }
            if isReadyNow { continuation.resume() }
        }
    }

    /// Moves the clock on.
    ///
    /// - Parameter wakes: True if the sleepers that are due wake up; false for a machine whose timers stood still, as in
    ///   a suspend. They wake at the next movement.
    public func advance(by duration: Duration, wakes: Bool = true) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = state.now.advanced(by: duration)
            guard wakes else { return [] }
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
            state.sleepers.removeAll { $0.deadline <= now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
