// SPDX-License-Identifier: MIT

/// A stream that ended before its answer did, with what had come.
public struct StreamInterruption: Error, Sendable, Hashable {
    /// The reason for the end.
    public enum Reason: Sendable, Hashable {
        /// The connection broke.
        case connectionLost
        /// The server closed the stream before the answer's end.
        case endedEarly
        /// Nothing came for too long.
        case timedOut
        /// An event that cannot be read.
        case malformedEvent
        /// The server sent an `error` event.
        case failure(APIFailure)
    }

    /// The reason for the end.
    public var reason: Reason
    /// The description.
    public var message: String
    /// The answer as far as it had come. Its status is `incomplete`; items that were not done are cut off.
    public var partial: Response
    /// The last event's number, after which a response that is kept at the server can be taken up again.
    public var lastSequenceNumber: Int?

    /// An interruption.
    public init(reason: Reason, message: String, partial: Response, lastSequenceNumber: Int? = nil) {
        self.reason = reason
        self.message = message
        self.partial = partial
        self.lastSequenceNumber = lastSequenceNumber
    }
}
