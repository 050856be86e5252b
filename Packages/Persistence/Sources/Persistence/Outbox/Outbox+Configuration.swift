// SPDX-License-Identifier: MIT

public import Concurrency

extension Outbox {
    /// An outbox's limits and rules. Programs that share a file should use the same.
    public struct Configuration: Sendable, Equatable {
        /// The time without a renewal after which a worker loses its item to another; 1 minute by default.
        /// `Outbox.work` renews the lease while it works.
        public var lease: Duration
        /// The number of attempts after which an item is poisoned; 10 by default. A worker that dies has used up an
        /// attempt.
        public var maximumAttempts: Int
        /// The waits between attempts; 1 second doubling up to 15 minutes by default, with full jitter.
        public var backoff: Backoff
        /// True if a poisoned item holds up the later ones of its ordering key until a person retries or discards it;
        /// true by default, since a later change must not overtake an earlier one.
        public var poisonBlocksItsKey: Bool
        /// The most items that are not done; 10,000 by default.
        public var maximumItems: Int
        /// The most bytes of payloads and keys; 64 MiB by default.
        public var maximumBytes: Int
        /// The time for which the idempotency keys of delivered items are kept; 7 days by default.
        public var remembersDoneFor: Duration

        /// A configuration.
        public init(
            lease: Duration = .seconds(60), maximumAttempts: Int = 10,
            backoff: Backoff = Backoff(first: .seconds(1), longest: .seconds(900)),
            poisonBlocksItsKey: Bool = true, maximumItems: Int = 10_000, maximumBytes: Int = 64 << 20,
            remembersDoneFor: Duration = .seconds(7 * 86_400)
        ) {
            self.lease = lease
            self.maximumAttempts = maximumAttempts
            self.backoff = backoff
            self.poisonBlocksItsKey = poisonBlocksItsKey
            self.maximumItems = maximumItems
            self.maximumBytes = maximumBytes
            self.remembersDoneFor = remembersDoneFor
        }

        var rules: OutboxState.Rules {
            // A lease without a duration would end before its work begins.
            .init(maximumAttempts: max(1, maximumAttempts), lease: max(lease, .milliseconds(1)), backoff: backoff)
        }
    }
}
