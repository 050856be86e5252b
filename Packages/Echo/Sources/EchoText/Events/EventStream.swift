// SPDX-License-Identifier: MIT

import Synchronization

/// The events since the stream was made, for one consumer.
///
/// Buffer policy: the stream holds up to its limit of unread events; one more, and the oldest of them is dropped and
/// counted in ``droppedEvents``. Emitting never waits for the consumer. It ends when the emitter is closed or
/// deallocated, and when the consuming task is cancelled.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ConversationEvent

    let events: AsyncStream<ConversationEvent>
    let dropped: EventCount

    /// The number of events dropped so far.
    public var droppedEvents: Int { dropped.value }

    /// Reads the stream; a stream has one reader.
    public func makeAsyncIterator() -> AsyncStream<ConversationEvent>.Iterator { events.makeAsyncIterator() }
}

/// A number that several tasks read and add to.
final class EventCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}

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

/// Takes the events of a conversation: an ``EventEmitter``, or in a test something that keeps them.
///
/// A type whose `emit` is synchronous conforms as well, be it a class or an actor.
public protocol EventEmitterProtocol: Sendable {
    /// Receives an event. A conversation waits for it, so it must not wait itself.
    func emit(_ event: ConversationEvent) async
}
