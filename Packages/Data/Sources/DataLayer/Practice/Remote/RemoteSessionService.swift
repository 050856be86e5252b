// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials
import Networking
import PracticeWire

/// The server's data about the account and the flags.
public struct RemoteSessionService: SessionService {
    private let server: PracticeServer
    private let now: @Sendable () -> Date

    /// Makes the service of a server.
    ///
    /// - Parameter now: The wall clock.
    public init(_ server: PracticeServer, now: @escaping @Sendable () -> Date = { Date() }) {
        self.server = server
        self.now = now
    }

    /// See `SessionService`.
    public func me() async throws -> Profile {
        let profile: ProfileDTO = try await server.value(.get, ["rpc", "me"])
        return try mapped { () throws(MappingFailure) in try profile.profile() }
    }

    /// See `SessionService`. A broken rule is left out, and its flag has the default.
    public func appConfig() async throws -> RuntimeConfig {
        let config: AppConfigDTO = try await server.value(.get, ["rpc", "app_config"])
        return config.config(at: now())
    }

    /// See `SessionService`.
    public func sendHeartbeat() async throws {
        _ = try await server.bytes(.post, ["rpc", "heartbeat"])
    }
}
