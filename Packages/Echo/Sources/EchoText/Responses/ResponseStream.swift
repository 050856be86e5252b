// SPDX-License-Identifier: MIT

/// The events of one answer, in order, once, for one task.
///
/// Nothing is read before it is asked for: a slow consumer makes the transport stop reading and the server wait; no
/// event is dropped. It ends after `completed`, `incomplete` or `cancelled`; after `failed` and `error` it throws what
/// they say, and when it breaks off, ``EchoError/streamInterrupted(_:)`` with what has come. Cancelling the consuming
/// task throws `CancellationError` and reaches the server: a background answer is cancelled there, any other loses its
/// connection. Dropping the stream closes the connection too, and leaves a background answer going.
public struct ResponseStream: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ResponseStreamEvent

    private let source: any ResponseStreamSource

    /// A stream from a source of your own.
    public init(source: any ResponseStreamSource) { self.source = source }

    /// A stream of these events.
    public init(_ events: [ResponseStreamEvent]) { source = ScriptedResponseSource(events) }

    /// The answer as far as it has come. Making it costs its length: ask now and then, not for each event.
    public var partial: Response { source.partial }

    /// The number of the last event.
    public var lastSequenceNumber: Int? { source.lastSequenceNumber }

    /// Reads to the end, and returns the answer.
    ///
    /// - Throws: What the events' sequence throws.
    public func response() async throws -> Response {
        for try await _ in self {}
        return source.partial
    }

    /// Reads on from where the last iterator stopped.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        let source: any ResponseStreamSource

        /// The next event, or `nil` at the end.
        public mutating func next() async throws -> ResponseStreamEvent? { try await source.next() }

        /// The next event, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error)
            -> ResponseStreamEvent?
        {
            try await source.next()
        }
    }
}

/// The source of an answer's events.
public protocol ResponseStreamSource: AnyObject, Sendable {
    /// The answer as far as it has come.
    var partial: Response { get }
    /// The number of the last event.
    var lastSequenceNumber: Int? { get }
    /// The next event, or `nil` at the end, for ever after.
    func next() async throws -> ResponseStreamEvent?
}
