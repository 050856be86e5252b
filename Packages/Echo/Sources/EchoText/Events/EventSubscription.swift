// SPDX-License-Identifier: MIT

/// A handler's place among the handlers. Dropping it removes nothing.
public struct EventSubscription: Sendable, Identifiable {
    /// Its number in the emitter.
    public let id: UInt64
    private let remove: @Sendable () -> Void
    private let dropped: @Sendable () -> Int

    init(id: UInt64, remove: @escaping @Sendable () -> Void, dropped: @escaping @Sendable () -> Int) {
        self.id = id
        self.remove = remove
        self.dropped = dropped
    }

    /// The number of events dropped, oldest first, because the handler was too slow for its queue.
    public var droppedEvents: Int { dropped() }

    /// Removes the handler. What waits in its queue is dropped; a call that has begun goes on. Cancelling twice is
    /// the same as once.
    public func cancel() { remove() }
}
