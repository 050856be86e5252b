// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The program's knowledge of its user and its flags; asks the server when the program becomes active.
public actor SessionManager {
    /// The user and the flags at one time.
    public struct Session: Hashable, Sendable {
        /// The signed-in user; nil before the server's answer.
        public let profile: Profile?
        /// The flags.
        public let flags: FlagResolver
        /// The server's configuration, or the last one that was stored.
        public let config: RuntimeConfig?
        /// The reason why the server's answer is missing here; nil if it is included.
        public let problem: DomainError?
    }

    private let account: String?
    private let service: (any SessionService)?
    private let store: any RuntimeConfigStore
    private let overrides: [String: FlagValue]
    private var askedAt: Date?

    /// A manager.
    ///
    /// - Parameters:
    ///   - account: The account that is signed in on this device; `nil` while signed out.
    ///   - service: The server; `nil` if no account is signed in.
    ///   - store: The last good configuration.
    ///   - overrides: Values of a local file.
    public init(
        account: String?, service: (any SessionService)?, store: any RuntimeConfigStore,
        overrides: [String: FlagValue] = [:]
    ) {
        self.account = account
        self.service = service
        self.store = store
        self.overrides = overrides
    }

    /// The stored session, without a request.
    ///
    /// - Throws: The store's errors.
    public func stored() async throws -> Session {
        try await session(nil, config: store.config(for: account), isFresh: false, problem: nil)
    }

    /// Asks the server for the profile and the flags, and stores its answer. Without an answer it is as ``stored()``,
    /// with the problem.
    ///
    /// - Throws: The store's errors, or `CancellationError`.
    public func activate() async throws -> Session {
        guard let service else { return try await stored() }
        do {
            async let profile = service.me()
            async let config = service.appConfig()
            let answer = try await (profile: profile, config: config)
            try await store.store(answer.config, for: account)
            return try await session(answer.profile, config: answer.config, isFresh: true, problem: nil)
        } catch let error as DomainError {
            return try await session(nil, config: store.config(for: account), isFresh: false, problem: error)
        }
    }

    /// The session, after a request to the server if the last one is older than `age`. Without an answer, the stored
    /// session.
    ///
    /// - Parameters:
    ///   - age: The server is asked again after this time, and not more often than once in it.
    ///   - now: The wall clock's time.
    /// - Throws: The store's errors, or `CancellationError`.
    public func recent(within age: TimeInterval, now: Date) async throws -> Session {
        if let askedAt, abs(now.timeIntervalSince(askedAt)) < age { return try await stored() }
        askedAt = now
        return try await activate()
    }

    /// The longest time for which a changed interval of heartbeats has no effect.
    static let intervalAge = Duration.seconds(300)

    /// Sends heartbeats to the server until the task is cancelled, at the interval of the stored flags. A failed
    /// heartbeat is not repeated.
    ///
    /// - Parameters:
    ///   - now: The wall clock.
    ///   - clock: Measures the time between two heartbeats.
    public func sendHeartbeats(now: @Sendable () -> Date, clock: any Clock<Duration>) async {
        guard let service else { return }
        // The time since the last heartbeat; nil before the first.
        var waited: Duration?
        while !Task.isCancelled {
            let interval = (try? await stored().flags.seconds(Flags.heartbeatInterval, at: now())) ?? .zero
            var wait = Self.intervalAge
            if interval > .zero {
                if (waited ?? interval) >= interval {
                    try? await service.sendHeartbeat()
                    waited = .zero
                }
                wait = min(interval - (waited ?? .zero), wait)
            }
            try? await clock.sleep(for: wait)
            waited = waited.map { $0 + wait }
        }
    }

    private func session(
        _ profile: Profile?, config: RuntimeConfig?, isFresh: Bool, problem: DomainError?
    ) async throws -> Session {
        let context = FeatureAccessContext(account: account, installation: try await store.installation())
        let flags = FlagResolver(config: config, isFresh: isFresh, overrides: overrides, context: context)
        return Session(profile: profile, flags: flags, config: config, problem: problem)
    }
}
