// SPDX-License-Identifier: MIT

/// A notification that a transaction sent with NOTIFY, or a break in them.
public struct PostgresNotification: Sendable, Equatable {
    /// The text that was sent with it.
    public let payload: String
    /// True if notifications may have been lost before this one: the connection was established anew, or the reader was
    /// slow. It also says so when nothing was sent; the payload is empty then.
    public let mayHaveMissed: Bool
}

/// The notifications of one channel, for one reader. It starts with one that may have missed others, as soon as the
/// channel is listened to.
///
/// Up to 64 wait for a slow reader. Equal payloads that wait are one; when more arrive, all that wait are dropped and the
/// next one says that it may have missed some. Cancelling the reader's task ends the sequence.
public struct PostgresNotifications: AsyncSequence, Sendable {
    let hub: NotificationHub
    let channel: String

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: hub.subscribe(to: channel)) }

    /// Reads the notifications.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: NotificationSubscription

        /// The next notification; nil once the database is closed or the task cancelled.
        public mutating func next() async throws -> PostgresNotification? {
            try await subscription.next()
        }
    }
}
