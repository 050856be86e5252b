// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The outcome of a fetch from the server.
public struct PulledChanges: Hashable, Sendable {
    /// The count of results that are new here.
    public var added = 0
    /// The count of results of this device that another one has deleted.
    public var removed = 0
    /// The count of results that could not be read, of a newer program, say. They are requested again after an update.
    public var skipped = 0
    /// The count of evaluations that arrived.
    public var evaluations = 0
    /// The count of evaluations that are still expected.
    public var awaited = 0

    /// Nothing yet.
    public init() {}

    /// True if something on this device has changed.
    public var hasChanges: Bool { added + removed + evaluations > 0 }
}

/// Keeps this device and the account's server in step: sends the queue, fetches the changes of others, sends
/// heartbeats, and applies the person's limit of recordings.
public struct SyncPractice: Sendable {
    /// The dependencies of the synchronisation.
    public struct Ports: Sendable {
        /// Sends the queue.
        public var worker: any SyncWorker
        /// Fetches all that others did. What came before a failure stays.
        public var pull: @Sendable () async throws -> PulledChanges
        /// Marks a moment. The pause that it returns ends after a time, or at the first wakeup since that moment, so that a wakeup
        /// during a fetch is not lost.
        public var pause: @Sendable () -> @Sendable (Duration) async throws -> Void
        /// Flags and heartbeats.
        public var session: SessionManager
        /// Removes the recordings that are over the person's limit.
        public var applyLimit: @Sendable () async throws -> Void
        /// Each runs until it is cancelled, and ends the pauses when waiting has no point any more: the network is back, say.
        public var occasions: [@Sendable () async -> Void]
        /// The wall clock.
        public var now: @Sendable () -> Date
        /// Measures pauses.
        public var clock: any Clock<Duration>

        /// The ports.
        public init(
            worker: any SyncWorker, pull: @escaping @Sendable () async throws -> PulledChanges,
            pause: @escaping @Sendable () -> @Sendable (Duration) async throws -> Void, session: SessionManager,
            applyLimit: @escaping @Sendable () async throws -> Void, occasions: [@Sendable () async -> Void] = [],
            now: @escaping @Sendable () -> Date = { Date() }, clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.worker = worker
            self.pull = pull
            self.pause = pause
            self.session = session
            self.applyLimit = applyLimit
            self.occasions = occasions
            self.now = now
            self.clock = clock
        }
    }

    /// A step.
    public enum Event: Hashable, Sendable {
        /// The server was asked for the account's flags, and the work begins.
        case started
        /// The worker did something.
        case sending(SyncReport)
        /// The server had news.
        case pulled(PulledChanges)
        /// Recordings over the limit stay until the next day, since removing them failed.
        case limitFailed(DomainError)
    }

    /// The pause between two fetches.
    static let pullInterval = Duration.seconds(900)
    /// The same while the server still has to evaluate something.
    static let evaluationInterval = Duration.seconds(60)
    /// The pause between two looks at the limit.
    static let limitInterval = Duration.seconds(3_600)

    private let ports: Ports

    /// A use case.
    public init(_ ports: Ports) { self.ports = ports }

    /// Runs until the account changes or the task is cancelled.
    ///
    /// - Parameters:
    ///   - isOver: Returns true once the account has changed; false to leave the end to cancellation.
    ///   - report: Called with each step; an error that it throws ends the run, except for ``Event/sending(_:)``.
    /// - Throws: The errors of the worker, the session's store or `report`, or `CancellationError`.
    public func callAsFunction(
        until isOver: @escaping @Sendable () async -> Bool,
        report: @escaping @Sendable (Event) async throws -> Void
    ) async throws {
        _ = try await ports.session.activate()
        try await report(.started)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { await isOver() }
            group.addTask {
                try await ports.worker.run { try? await report(.sending($0)) }
                return false
            }
            group.addTask { try await applyLimit(report) }
            group.addTask { try await pull(report) }
            for occasion in ports.occasions {
                group.addTask {
                    await occasion()
                    return false
                }
            }
            group.addTask {
                await ports.session.sendHeartbeats(now: ports.now, clock: ports.clock)
                return false
            }
            defer { group.cancelAll() }
            // An occasion may never occur; the worker ends only by an error or a cancellation.
            while let isOver = try await group.next(), !isOver {}
        }
    }

    private func pull(_ report: @Sendable (Event) async throws -> Void) async throws -> Bool {
        while true {
            let pause = ports.pause()
            var isAwaiting = false
            do {
                _ = try await ports.session.activate()
                let changes = try await ports.pull()
                isAwaiting = changes.awaited > 0
                if changes.hasChanges { try await report(.pulled(changes)) }
            } catch is DomainError {
                // The worker meets the same error and reports it; the next fetch gets the rest.
            }
            try await pause(isAwaiting ? Self.evaluationInterval : Self.pullInterval)
        }
    }

    private func applyLimit(_ report: @Sendable (Event) async throws -> Void) async throws -> Bool {
        while true {
            do {
                try await ports.applyLimit()
            } catch let error as DomainError {
                try await report(.limitFailed(error))
            }
            try await ports.clock.sleep(for: Self.limitInterval)
        }
    }
}
