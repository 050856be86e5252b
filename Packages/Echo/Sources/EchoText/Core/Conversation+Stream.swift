// SPDX-License-Identifier: MIT

extension Conversation {
    /// Sends a message, and returns the assistant's answer piece by piece.
    ///
    /// ```swift
    /// for try await delta in conversation.stream("Hello!") { print(delta, terminator: "") }
    /// ```
    ///
    /// The message is sent at once, after the turns before it. The stream has all pieces of this turn's text, also
    /// those after calls of tools, and of no other turn; it ends with the turn, as ``send(_:)`` does. Cancelling the
    /// task that reads it, leaving the loop, or dropping the stream ends the turn.
    public func stream(_ text: String) -> AnswerStream {
        let (deltas, continuation) = AsyncThrowingStream.makeStream(of: String.self)
        // It takes its turn now, and ends with it; the turn ends with the stream and with the conversation.
        let turn = Task.immediate {
            do {
                try await ask { try await $0.send(text) { continuation.yield($0) } }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in turn.cancel() }
        return AnswerStream(deltas: deltas)
    }
}

/// The pieces of the assistant's text in one turn, in order, for one consumer.
///
/// Buffer policy: no piece is dropped; the stream holds those that its consumer has not read. It ends when the turn is
/// over, and throws the errors of ``Conversation/send(_:)``.
public struct AnswerStream: AsyncSequence, Sendable {
    /// A piece of text.
    public typealias Element = String

    let deltas: AsyncThrowingStream<String, any Error>

    /// Reads the pieces; a stream has one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(deltas: deltas.makeAsyncIterator()) }

    /// Reads pieces.
    public struct Iterator: AsyncIteratorProtocol {
        var deltas: AsyncThrowingStream<String, any Error>.Iterator

        /// The next piece, or `nil` when the turn is over.
        ///
        /// - Throws: ``EchoError``; `CancellationError` when the task is cancelled, which ends the turn.
        public mutating func next() async throws -> String? {
            if let delta = try await deltas.next() { return delta }
            try Task.checkCancellation()
            return nil
        }
    }

    /// Reads to the end, and returns the whole text.
    ///
    /// - Throws: The errors of the sequence.
    public func text() async throws -> String { try await reduce(into: "") { $0 += $1 } }
}
