// SPDX-License-Identifier: MIT

import Networking

/// Turns a server's stream into events of the responses API.
protocol StreamDialect: Sendable {
    /// Adds what one server-sent event says.
    ///
    /// - Throws: What is wrong with it.
    mutating func decode(_ event: ServerSentEvent, into events: inout [ResponseStreamEvent]) throws
    /// Adds what an answer says that came whole, though a stream was asked for.
    mutating func decode(whole json: JSONValue, into events: inout [ResponseStreamEvent]) throws
    /// The bytes have ended: adds what was held back until then.
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
        let event = ResponseEvent(response: try Response(json: json))
        events.append(.created(event))
        switch event.response.status {
        case .failed: events.append(.failed(event))
        case .incomplete, .cancelled: events.append(.incomplete(event))
        default: events.append(.completed(event))
        }
    }

    mutating func end(into events: inout [ResponseStreamEvent]) {}
}
