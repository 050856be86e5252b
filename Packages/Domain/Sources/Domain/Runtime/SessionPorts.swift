// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Who is signed in, as the server has it.
public struct Profile: Hashable, Sendable {
    /// The account's name for programs.
    public let account: String
    /// Its mail address.
    public let email: String
    /// Since when there is the account.
    public let createdAt: Date

    /// A profile.
    public init(account: String, email: String, createdAt: Date) {
        self.account = account
        self.email = email
        self.createdAt = createdAt
    }
}

/// What a program asks the server when it becomes active. Every implementation passes `SessionServiceContract` in
/// `DomainTestSupport`.
///
/// Throws ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol SessionService: Sendable {
    /// Who is signed in; ``DomainError/signInNeeded`` when nobody is.
    func me() async throws -> Profile
    /// What the server says of the flags.
    func appConfig() async throws -> RuntimeConfig
    /// Tells the server that somebody is there.
    func sendHeartbeat() async throws
}

/// The last good configuration and profile. Every implementation passes `RuntimeConfigStoreContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol RuntimeConfigStore: Sendable {
    /// Keeps a configuration for an account (`nil`: nobody's), in place of the one before.
    func store(_ config: RuntimeConfig, for account: String?) async throws
    /// What was kept for an account.
    func config(for account: String?) async throws -> RuntimeConfig?
    /// This installation's random name; made when it is asked for first.
    func installation() async throws -> String
}
