// SPDX-License-Identifier: MIT

extension EventSource {
    /// The behaviour of an event source.
    public struct Configuration: Sendable {
        /// The identifier to resume after; empty for a new start.
        public var lastEventID: String
        /// The wait before a new connection until the server sets another by `retry`; 3 s.
        public var reconnectionTime: Duration
        /// The longest wait, even if the server sets a longer one; 60 s.
        public var maximumDelay: Duration
        /// The longest silence of the server before the connection counts as dead; `nil` for ever. 90 s, since servers
        /// are advised to send a comment every 15 s. Only time in which the consumer waits counts.
        public var idleTimeout: Duration?
        /// The most connections in a row that may fail before the sequence throws; `nil` for no limit. A connection
        /// that brought a byte has not failed.
        public var maximumFailures: Int?
        /// The most bytes of one event.
        public var maximumEventSize: Int
        /// Statuses besides 200 that lead to a new connection. Empty, as the standard demands; a client of servers
        /// behind a load balancer may want 502, 503 and 504.
        public var reconnectStatuses: Set<Int>
        /// True to connect again after the stream's end. By default (`nil`) if the method is safe (GET), or
        /// `HTTPRequest.options.isRepeatable` says so; the end of a POST's answer ends the sequence.
        public var reconnects: Bool?
        /// Called at each change of state, in order, from the consumer's task.
        public var onState: (@Sendable (State) -> Void)?

        /// The defaults.
        public init() {
            lastEventID = ""
            reconnectionTime = .seconds(3)
            maximumDelay = .seconds(60)
            idleTimeout = .seconds(90)
            maximumFailures = nil
            maximumEventSize = 1 << 20
            reconnectStatuses = []
            reconnects = nil
            onState = nil
        }
    }

    /// The state of an event source.
    public enum State: Sendable, Hashable {
        /// The source has sent a request and waits for the header.
        case connecting
        /// Events may arrive.
        case open
        /// The source waits so long before the next connection.
        case waiting(Duration)
        /// The source has ended, well or with an error.
        case closed
    }
}
