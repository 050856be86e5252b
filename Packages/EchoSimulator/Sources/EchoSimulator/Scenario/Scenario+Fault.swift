// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// A failure of an answer. Events are counted from zero.
    public enum Fault: Sendable, Hashable {
        /// This status instead of an answer, with an error of the API's or a body of its own.
        case status(Int, retry: Retry? = nil, body: JSONValue? = nil)
        /// The connection is cut after so many events.
        case cut(afterEvents: Int)
        /// The connection is cut after so many bytes of the body.
        case cutBytes(Int)
        /// The stream ends properly after so many events, without the last one.
        case end(afterEvents: Int)
        /// The event at that position has this data instead of its own.
        case malformed(atEvent: Int, data: String)
        /// The event at that position is sent twice.
        case duplicate(atEvent: Int)
        /// An unknown event is sent before the event at that position.
        case unknownEvent(atEvent: Int, JSONValue)
        /// Nothing more is sent after so many events, until so much time has passed, or the client closes the
        /// connection.
        case stall(afterEvents: Int, Duration? = nil)
        /// Another content type than the right one.
        case contentType(String)
        /// A `/v1/realtime` session is closed after so many events, with this code of RFC 6455 §7.4: 1005 without one,
        /// and with 1006 and 1015, which no close frame can have, the connection is cut.
        case close(afterEvents: Int, code: Int, reason: String = "")
        /// A `/v1/realtime` session expires after so many events.
        case expire(afterEvents: Int)
        /// A binary message of so many bytes is sent before the event at that position, in `/v1/realtime`.
        case binary(atEvent: Int, count: Int)
        /// The server gives up its answer after so many events of `/v1/realtime`: `turn_detected`.
        case cancel(afterEvents: Int)
        /// The client's request for an answer in `/v1/realtime` is refused with this error.
        case refuse(code: String, message: String = "The request was refused.")
    }

    /// The time at which the client should try again, in each form that servers use.
    public enum Retry: Sendable, Hashable {
        /// `Retry-After` in seconds.
        case seconds(Int)
        /// `Retry-After` as a date so many seconds from now.
        case date(Int)
        /// `retry-after-ms`.
        case milliseconds(Int)
        /// `x-ratelimit-reset-requests` and `x-ratelimit-reset-tokens`, such as `1s`, `6m0s` or `120ms`, with nothing
        /// remaining.
        case reset(requests: String, tokens: String)
    }
}
