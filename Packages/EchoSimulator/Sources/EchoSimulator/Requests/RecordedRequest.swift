// SPDX-License-Identifier: MIT

public import Networking
public import StructuredJSON

/// A request that the simulator got, for tests.
public struct RecordedRequest: Sendable {
    /// The outcome of an answer.
    public enum Outcome: Sendable, Hashable {
        /// It is being answered.
        case open
        /// It was answered as a whole, or cut because a fault said so.
        case answered
        /// The client closed the connection before the end.
        case abandoned
    }

    /// The method.
    public let method: HTTPMethod
    /// The path, such as `/v1/responses`.
    public let path: String
    /// The query after the `?`, by name.
    public let query: [String: String]
    /// The header, with the key in it.
    public let headers: HTTPHeaders
    /// The body, if it was JSON.
    public var json: JSONValue?
    /// The fields of a multipart form, without files.
    public var form: [String: [String]] = [:]
    /// The client's events in a `/v1/realtime` session, in order, without `input_audio_buffer.append`.
    public var events: [JSONValue] = []
    /// The number of `input_audio_buffer.append` events in a `/v1/realtime` session.
    public var appendCount = 0
    /// The size of the body in bytes, or of all events of a session together.
    public var bodySize = 0
    /// The status of the answer; `nil` until it is known.
    public var status: Int?
    /// The outcome of the answer.
    public var outcome = Outcome.open
}
