// SPDX-License-Identifier: MIT

/// A stream that ended before its answer did, with the answer so far.
public struct StreamInterruption: Error, Sendable, Hashable {
    /// The reason for the end.
    public enum Reason: Sendable, Hashable {
        /// The connection broke.
        case connectionLost
        /// The server closed the stream before the answer's end.
        case endedEarly
        /// The server sent nothing within the idle time limit.
        case timedOut
        /// An event is unreadable.
        case malformedEvent
        /// The server sent an `error` event.
        case failure(APIFailure)
    }

    /// The reason for the end.
    public var reason: Reason
    /// The description.
    public var message: String
    /// The answer so far. Its status is `incomplete`; unfinished items are cut off.
    package var partial: Response
    /// The last event's number, after which a response that is kept at the server can be resumed.
    package var lastSequenceNumber: Int?

    /// An interruption.
    package init(reason: Reason, message: String, partial: Response, lastSequenceNumber: Int? = nil) {
        self.reason = reason
        self.message = message
        self.partial = partial
        self.lastSequenceNumber = lastSequenceNumber
    }
}
