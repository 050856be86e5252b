// SPDX-License-Identifier: MIT

import Domain

/// The limits of an account's results on a server.
public struct PracticeQuota: Hashable, Sendable {
    /// The most results.
    public var results: Int
    /// The most bytes of all results together.
    public var bytes: Int
    /// The most tombstones; above it, the oldest are deleted.
    public var deletions: Int

    /// Makes a quota: by default 200,000 results, 256 MiB and 10,000 tombstones.
    public init(results: Int = 200_000, bytes: Int = 256 << 20, deletions: Int = 10_000) {
        (self.results, self.bytes, self.deletions) = (results, bytes, deletions)
    }

    /// Throws if an account has more than the quota.
    ///
    /// - Throws: `DomainError.overLimit`.
    public func check(_ usage: (results: Int, bytes: Int)) throws {
        guard usage.results <= results else {
            throw DomainError.overLimit(
                "An account may have \(results) results, and they are there. Delete some, then send it again.")
        }
        guard usage.bytes <= bytes else {
            throw DomainError.overLimit(
                "An account's results may have \(bytes) bytes, and they are there. Delete some, then send it again.")
        }
    }
}
