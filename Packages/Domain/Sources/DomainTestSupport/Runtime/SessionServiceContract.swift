// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The session service of an account, and one without an account.
public struct SessionServiceSubject: Sendable {
    let service: any SessionService
    let email: String
    let signedOut: any SessionService
    let failing: Failing<any SessionService>

    /// A subject.
    ///
    /// - Parameters:
    ///   - service: The service of an account.
    ///   - email: The account's mail address.
    ///   - signedOut: The service without a signed-in account.
    ///   - failing: Services that fail at each call, with `offline`, say.
    public init(
        service: any SessionService, email: String, signedOut: any SessionService,
        failing: Failing<any SessionService>
    ) {
        self.service = service
        self.email = email
        self.signedOut = signedOut
        self.failing = failing
    }
}

/// The contract of `SessionService`.
public enum SessionServiceContract {
    /// Every promise.
    public static let checks: [ContractCheck<SessionServiceSubject>] = [
        .init("the profile is the account's, each time") { subject in
            let profile = try await subject.service.me()
            try require(profile.email == subject.email && !profile.account.isEmpty, "it is \(profile)")
            try await require(subject.service.me() == profile, "it changed")
        },
        .init("the flags are the same until the server changes them") { subject in
            let config = try await subject.service.appConfig()
            try await require(subject.service.appConfig().rules == config.rules, "they changed")
        },
        .init("heartbeats may be sent again and again") { subject in
            for _ in 0..<3 { try await subject.service.sendHeartbeat() }
        },
        .init("nobody's profile is signInNeeded") { subject in
            try await requireError(code: "signInNeeded") { _ = try await subject.signedOut.me() }
        },
        .init("calls at the same time are answered alike") { subject in
            let profile = try await subject.service.me()
            try await concurrently(12) { number in
                switch number % 3 {
                case 0: try await require(subject.service.me() == profile, "another's profile")
                case 1: _ = try await subject.service.appConfig()
                default: try await subject.service.sendHeartbeat()
                }
            }
        },
        .init("a cancelled call says so") { subject in
            try await requireCancelled { _ = try await subject.service.me() }
            try await requireCancelled { _ = try await subject.service.appConfig() }
            try await requireCancelled { try await subject.service.sendHeartbeat() }
        },
        .init("a failure of any call is told by its error") { subject in
            try require(!subject.failing.isEmpty, "no error can be provoked, so that nothing was checked")
            for (code, make) in subject.failing {
                let service = try await make()
                try await requireError(code: code) { _ = try await service.me() }
                try await requireError(code: code) { _ = try await service.appConfig() }
                try await requireError(code: code) { try await service.sendHeartbeat() }
            }
        },
    ]
}

/// A `SessionService` that gives the test's answers.
public actor ScriptedSessionService: SessionService {
    private var answer: Result<(Profile, RuntimeConfig), DomainError>
    private let heartbeat: @Sendable (Int) throws(DomainError) -> Void
    private var beats = 0
    private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    /// A service.
    ///
    /// - Parameters:
    ///   - answer: The profile and the flags, or the error of both calls.
    ///   - heartbeat: Called with the number of each heartbeat, from 1; the heartbeat throws its error.
    public init(
        answer: Result<(Profile, RuntimeConfig), DomainError>,
        heartbeat: @escaping @Sendable (Int) throws(DomainError) -> Void = { _ in }
    ) {
        self.answer = answer
        self.heartbeat = heartbeat
    }

    /// Changes the answer.
    public func set(_ answer: Result<(Profile, RuntimeConfig), DomainError>) { self.answer = answer }

    /// See `SessionService`.
    public func me() throws -> Profile {
        try Task.checkCancellation()
        return try answer.get().0
    }

    /// See `SessionService`.
    public func appConfig() throws -> RuntimeConfig {
        try Task.checkCancellation()
        return try answer.get().1
    }

    /// See `SessionService`.
    public func sendHeartbeat() throws {
        try Task.checkCancellation()
        beats += 1
        if let waiting, beats >= waiting.count {
            waiting.continuation.resume()
            self.waiting = nil
        }
        try heartbeat(beats)
    }

    /// Returns after `count` heartbeats. One task may wait.
    public func heartbeats(_ count: Int) async {
        if beats < count { await withCheckedContinuation { waiting = (count, $0) } }
    }
}
