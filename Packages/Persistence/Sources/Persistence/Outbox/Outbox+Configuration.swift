// SPDX-License-Identifier: MIT

public import Concurrency

extension Outbox {
    /// An outbox's limits and rules. Programs that share a file should use the same.
    public struct Configuration: Sendable, Equatable {
        /// How long a worker may be silent before its item goes to another; 1 minute by default. `Outbox.work` renews
        /// the lease while it works.
        public var lease: Duration
        /// After this many attempts an item is poison; 10 by default. A worker that dies has used up an attempt.
        public var maximumAttempts: Int
        /// The waits between attempts; 1 second doubling up to 15 minutes by default, with full jitter.
        public var backoff: Backoff
        /// Whether a poisoned item holds up the later ones of its ordering key until a person retries or discards it; true by
        /// default, since a later change must not overtake an earlier one.
        public var poisonBlocksItsKey: Bool
        /// How many items that are not done may be kept; 10,000 by default.
        public var maximumItems: Int
        /// How many bytes of payloads and keys may be kept; 64 MiB by default.
        public var maximumBytes: Int
        /// How long the idempotency keys of what is done are remembered; 7 days by default.
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
            // A lease of nothing would end before its work begins.
            .init(maximumAttempts: max(1, maximumAttempts), lease: max(lease, .milliseconds(1)), backoff: backoff)
        }
    }
}
