// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The signed-in account, as the server has it.
public struct Profile: Hashable, Sendable {
    /// The account's id.
    public let account: String
    /// Its mail address.
    public let email: String
    /// The time of the account's creation.
    public let createdAt: Date

    /// A profile.
    public init(account: String, email: String, createdAt: Date) {
        self.account = account
        self.email = email
        self.createdAt = createdAt
    }
}

/// The requests that a program makes to the server when it becomes active. Every implementation passes
/// `SessionServiceContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol SessionService: Sendable {
    /// The signed-in account; throws ``DomainError/signInNeeded`` while signed out.
    func me() async throws -> Profile
    /// The server's configuration of the flags.
    func appConfig() async throws -> RuntimeConfig
    /// Tells the server that the account is in use.
    func sendHeartbeat() async throws
}

/// A store of the last good configuration and of the installation's id. Every implementation passes
/// `RuntimeConfigStoreContract` in `DomainTestSupport`.
///
/// Throws ``DomainError`` or `CancellationError`, and may be called concurrently.
public protocol RuntimeConfigStore: Sendable {
    /// Stores a configuration for an account (`nil`: without an account), in place of the previous one.
    func store(_ config: RuntimeConfig, for account: String?) async throws
    /// The stored configuration of an account.
    func config(for account: String?) async throws -> RuntimeConfig?
    /// This installation's random id; created by the first call.
    func installation() async throws -> String
}
