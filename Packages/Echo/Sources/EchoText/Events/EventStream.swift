// SPDX-License-Identifier: MIT

/// The events from the moment at which the stream was made, for one consumer.
///
/// Buffer policy: the stream holds up to its limit of events that nobody has taken yet; one more, and the oldest of
/// them is dropped and counted in ``droppedEvents``. Nobody ever waits for the consumer. It ends when the emitter is
/// closed or goes away, and when the consuming task is cancelled.
public struct EventStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = EchoEvent

    let events: AsyncStream<EchoEvent>
    let dropped: EventCount

    /// The number of events dropped so far.
    public var droppedEvents: Int { dropped.value }

    /// Reads the stream; a stream has one reader.
    public func makeAsyncIterator() -> AsyncStream<EchoEvent>.Iterator { events.makeAsyncIterator() }
}
