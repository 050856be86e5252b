// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What a program knows about its user and its flags; asks the server when it becomes active.
public actor SessionManager {
    /// What is known.
    public struct Session: Hashable, Sendable {
        /// Who is signed in, when the server has said so.
        public let profile: Profile?
        /// The flags.
        public let flags: FlagResolver
        /// The server's configuration, or the last one that was kept.
        public let config: RuntimeConfig?
        /// Why the server's answer is not in this, if it is not.
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
    ///   - account: Who is signed in on this device; `nil` for nobody.
    ///   - service: The server; `nil` when nobody is signed in.
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

    /// What is known without asking anybody, at once.
    ///
    /// - Throws: What the store throws.
    public func stored() async throws -> Session {
        try await session(nil, config: store.config(for: account), isFresh: false, problem: nil)
    }

    /// Asks the server who is signed in and what holds; keeps what it says. Without an answer it is as ``stored()``, with the
    /// problem.
    ///
    /// - Throws: What the store throws, or `CancellationError`.
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

    /// The session, after asking the server if that was not done for a while. Without its answer, the stored one.
    ///
    /// - Parameters:
    ///   - age: The server is asked again after this time, and not more often than once in it.
    ///   - now: The wall clock's time.
    /// - Throws: What the store throws, or `CancellationError`.
    public func recent(within age: TimeInterval, now: Date) async throws -> Session {
        if let askedAt, abs(now.timeIntervalSince(askedAt)) < age { return try await stored() }
        askedAt = now
        return try await activate()
    }

    /// Tells the server that somebody is there, again and again, until the task is cancelled. One that fails is not made up for.
    ///
    /// - Parameter clock: What the time between two is measured by.
    public func sendHeartbeats(every interval: Duration, clock: any Clock<Duration>) async {
        guard let service, interval > .zero else { return }
        while !Task.isCancelled {
            try? await service.sendHeartbeat()
            try? await clock.sleep(for: interval)
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
