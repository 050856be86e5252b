// SPDX-License-Identifier: MIT

extension PostgresDatabase {
    /// The notifications of a channel, from the moment at which the sequence says so first.
    ///
    /// All readers share one connection beside the pool, which is established anew after a loss. A notification is a
    /// hint: read the truth from tables, also after each one that may have missed others.
    ///
    /// - Parameter channel: The channel's name, 1 to 63 bytes; capital letters count.
    public func notifications(channel: String) -> PostgresNotifications {
        PostgresNotifications(hub: notifications, channel: channel)
    }

    /// Sends a notification, in a transaction of its own. Each one takes a lock of the whole server at its commit, so
    /// send few.
    ///
    /// - Parameters:
    ///   - channel: The channel's name, 1 to 63 bytes.
    ///   - payload: At most 7,999 bytes.
    public func notify(channel: String, payload: String = "") async throws {
        try await write(isolation: .readCommitted) { try await $0.notify(channel: channel, payload: payload) }
    }
}

extension PostgresConnection {
    /// Sends a notification when the transaction commits; equal ones of a transaction are one.
    public func notify(channel: String, payload: String = "") async throws {
        try await execute("SELECT pg_notify(\(channel), \(payload))")
    }
}
