// SPDX-License-Identifier: MIT

/// The subscription of a handler. Dropping it does not remove the handler.
public struct EventSubscription: Sendable, Identifiable {
    /// The subscription's number in the emitter.
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

    /// Removes the handler. Events in its queue are dropped; a call that has begun is finished. Cancelling twice is the
    /// same as once.
    public func cancel() { remove() }
}
