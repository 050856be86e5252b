// SPDX-License-Identifier: MIT

import AuthServer

/// The end of event streams: one outlives neither its session nor its account, and lives no longer than a token.
///
/// Its client comes back, or learns that it may not.
struct StreamAccess: Sendable {
    /// The longest life of a stream: that of the token that opened it.
    let lifetime: Duration
    /// Throws `AuthServerError` once the token's session has ended or its account is blocked.
    let check: @Sendable (_ accessToken: String) async throws -> Void

    /// True while the token's session lasts; asked before each event.
    func holds(_ accessToken: String) async throws -> Bool {
        do { try await check(accessToken) } catch is AuthServerError { return false }
        return true
    }

    /// Runs the body of a stream until it returns, or for the lifetime.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await body() }
            tasks.addTask { try await Task.sleep(for: lifetime) }
            defer { tasks.cancelAll() }
            try await tasks.next()
        }
    }
}
