// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The right of one owner to a row's work for a while: columns `owner` and `lease_until` of the row.
///
/// An owner that dies loses the lease when its time is over, by the database's time. It renews the lease while it works,
/// and stores its outcome only while the lease is its own.
enum Lease {
    /// The usual time of a lease; a third of it passes between renewals.
    static let length: Duration = .seconds(30)

    static var milliseconds: Int64 { milliseconds(length) }
    static func milliseconds(_ length: Duration) -> Int64 { Int64(length / .milliseconds(1)) }

    /// Works while the lease is renewed. The work is cancelled once another owner may have the lease.
    ///
    /// - Parameter renew: Extends the lease; false if it is lost. An error counts as a renewal that may succeed later:
    ///   the row's owner is checked again when the outcome is stored.
    /// - Throws: ``LeaseLost``, or the error of the work.
    static func hold<Value: Sendable>(
        length: Duration = length, clock: any Clock<Duration> = ContinuousClock(),
        renew: @escaping @Sendable () async throws -> Bool,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while true {
                    try await clock.sleep(for: length / 3)
                    guard (try? await renew()) ?? true else { throw LeaseLost() }
                }
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// Another owner has taken over the work.
struct LeaseLost: Error {}

/// An instance of the server, as the owner of leases.
struct ServerInstance: Sendable, Hashable {
    let id: String

    /// The only process of a home at a time: what its earlier process left is its own.
    static let home = ServerInstance(id: "home")

    /// One of several processes on a shared database.
    static func random() -> ServerInstance { ServerInstance(id: UUID().uuidString.lowercased()) }

    /// A new owner within the instance, for work that two of its requests could begin at once.
    func request() -> String { "\(id)/\(UUID().uuidString.lowercased())" }
}
