// SPDX-License-Identifier: MIT

import Networking

/// Turns a server's stream into events of the responses API.
protocol StreamDialect: Sendable {
    /// Adds the events of one server-sent event.
    ///
    /// - Throws: An error that describes the fault in the event.
    mutating func decode(_ event: ServerSentEvent, into events: inout [ResponseStreamEvent]) throws
    /// Adds the events of an answer that arrived whole, although a stream was requested.
    mutating func decode(whole json: JSONValue, into events: inout [ResponseStreamEvent]) throws
    /// Handles the end of the bytes: adds the events that were held back.
    mutating func end(into events: inout [ResponseStreamEvent])
}

/// The responses API itself.
struct ResponsesDialect: StreamDialect {
    mutating func decode(_ event: ServerSentEvent, into events: inout [ResponseStreamEvent]) throws {
        // Some servers end every stream as the chat API does.
        guard event.data != "[DONE]" else { return }
        events.append(try ResponseStreamEvent(json: try JSONValue(parsing: event.data), type: event.type))
    }

    mutating func decode(whole json: JSONValue, into events: inout [ResponseStreamEvent]) throws {
        let response = try Response(json: json)
        let last: ResponseStreamEvent.Kind =
            switch response.status {
            case .failed: .failed
            case .incomplete, .cancelled: .incomplete
            default: .completed
            }
        for kind in [.created, last] { events.append(ResponseStreamEvent(kind, .response(response))) }
    }

    mutating func end(into events: inout [ResponseStreamEvent]) {}
}
