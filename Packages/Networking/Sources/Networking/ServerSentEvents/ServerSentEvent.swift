// SPDX-License-Identifier: MIT

/// One event of a `text/event-stream` (WHATWG HTML §9.2).
public struct ServerSentEvent: Hashable, Sendable {
    /// The `event` field; `message` where the stream names none.
    public var type: String
    /// The `data` fields, joined by line feeds.
    public var data: String
    /// The last `id` that the stream gave up to and with this event; empty if it gave none.
    public var lastEventID: String

    /// An event.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}
