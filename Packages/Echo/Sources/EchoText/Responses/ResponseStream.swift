// SPDX-License-Identifier: MIT

/// The events of one answer, in order, once, for one task.
///
/// Bytes are read only on demand: a slow consumer makes the transport stop reading and the server wait; no event is
/// dropped. The stream ends after `completed`, `incomplete` or `cancelled`. After `failed` and `error` it throws the
/// server's failure, and when the connection breaks, ``EchoError/streamInterrupted(_:)`` with the answer so far.
/// Cancelling the consuming task throws `CancellationError` and reaches the server: a background answer is cancelled
/// there, any other loses its connection. Dropping the stream closes the connection too, and leaves a background answer
/// going.
package struct ResponseStream: AsyncSequence, Sendable {
    /// An event.
    package typealias Element = ResponseStreamEvent

    private let source: any ResponseStreamSource

    /// A stream from a source of your own.
    package init(source: any ResponseStreamSource) { self.source = source }

    /// A stream of these events.
    package init(_ events: [ResponseStreamEvent]) { source = ScriptedResponseSource(events) }

    /// The answer so far. Assembling it costs its length: ask now and then, not for each event.
    package var partial: Response { source.partial }

    /// The number of the last event.
    package var lastSequenceNumber: Int? { source.lastSequenceNumber }

    /// Reads to the end, and returns the answer.
    ///
    /// - Throws: The errors of the sequence.
    package func response() async throws -> Response {
        for try await _ in self {}
        return source.partial
    }

    /// Continues after the last event that was read.
    package func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads events.
    package struct Iterator: AsyncIteratorProtocol {
        let source: any ResponseStreamSource

        /// The next event, or `nil` at the end.
        package mutating func next() async throws -> ResponseStreamEvent? { try await source.next() }

        /// The next event, or `nil` at the end.
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error)
            -> ResponseStreamEvent?
        {
            try await source.next()
        }
    }
}

/// The source of an answer's events.
package protocol ResponseStreamSource: AnyObject, Sendable {
    /// The answer so far.
    var partial: Response { get }
    /// The number of the last event.
    var lastSequenceNumber: Int? { get }
    /// The next event. After the end it always returns `nil`.
    func next() async throws -> ResponseStreamEvent?
}
