// SPDX-License-Identifier: MIT

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
