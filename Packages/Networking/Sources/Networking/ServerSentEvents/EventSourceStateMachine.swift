// SPDX-License-Identifier: MIT

import Concurrency

/// Decides when an event source connects, waits and gives up (WHATWG HTML §9.2.2 and §9.2.3), without I/O.
struct EventSourceStateMachine {
    /// The driver's next step.
    enum Action {
        /// Send the request, with this `Last-Event-ID` unless it is empty.
        case connect(lastEventID: String)
        /// Read the body.
        case read
        /// Wait, then call `waited()`.
        case wait(Duration)
        /// End the sequence.
        case finish
        /// End it with an error.
        case fail(NetworkError)
    }

    private let configuration: EventSource.Configuration
    /// True if the request may be sent again at all.
    private let mayReconnect: Bool
    private var lastEventID: String
    private var reconnectionTime: Duration
    /// Connections since the last one that brought a byte.
    private var failures = 0

    init(configuration: EventSource.Configuration, mayReconnect: Bool) {
        self.configuration = configuration
        self.mayReconnect = mayReconnect
        lastEventID = configuration.lastEventID
        reconnectionTime = configuration.reconnectionTime
    }

    func started() -> Action { .connect(lastEventID: lastEventID) }

    func waited() -> Action { .connect(lastEventID: lastEventID) }

    /// Handles the response's header.
    mutating func responded(
        status: Int, contentType: String?, random: inout some RandomNumberGenerator
    ) -> Action {
        if status == 204 { return .finish }
        guard status == 200 else {
            let error = NetworkError(
                code: .notAnEventStream,
                message: "The server answered \(status) instead of an event stream. Check the address and credentials.",
                status: status)
            return configuration.reconnectStatuses.contains(status) ? again(after: error, &random) : .fail(error)
        }
        guard Self.isEventStream(contentType) else {
            return .fail(
                NetworkError(
                    code: .notAnEventStream,
                    message: "The server sent \(contentType ?? "no content type") instead of text/event-stream. "
                        + "Check the address.",
                    status: status))
        }
        return .read
    }

    /// Counts the connection as good, since bytes have arrived.
    mutating func received() { failures = 0 }

    /// Handles the end of the connection, by the server (`nil`), a fault, or the idle time-out.
    ///
    /// - Parameters:
    ///   - error: The fault.
    ///   - lastEventID: The parser's last id; nil if nothing was parsed on this connection.
    ///   - retry: The reconnection time that the server set on this connection.
    mutating func ended(
        _ error: NetworkError?, lastEventID: String?, retry: Duration?, random: inout some RandomNumberGenerator
    ) -> Action {
        if let lastEventID { self.lastEventID = lastEventID }
        if let retry { reconnectionTime = min(retry, configuration.maximumDelay) }
        return again(after: error, &random)
    }

    private mutating func again(after error: NetworkError?, _ random: inout some RandomNumberGenerator) -> Action {
        let isHopeless = error.map { !$0.isTransient } ?? false
        guard mayReconnect, !isHopeless else { return error.map(Action.fail) ?? .finish }
        if let error, let limit = configuration.maximumFailures, failures >= limit { return .fail(error) }
        defer { failures += 1 }
        return .wait(delay(&random))
    }

    /// The reconnection time itself the first time; after that up to twice, four times as long and so on, by chance, so
    /// that many clients of one server do not reconnect at the same moment.
    private func delay(_ random: inout some RandomNumberGenerator) -> Duration {
        guard failures > 0 else { return reconnectionTime }
        let first = max(reconnectionTime, .milliseconds(100))
        let backoff = Backoff(first: first, longest: first * 65_536, jitter: .fromFirst)
        let delay = backoff.delay(afterFailures: failures + 1, chance: Double.random(in: 0...1, using: &random))
        return min(delay, max(configuration.maximumDelay, reconnectionTime))
    }

    /// True if the essence of a MIME type is `text/event-stream`.
    static func isEventStream(_ contentType: String?) -> Bool {
        guard let contentType else { return false }
        let essence = contentType.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
        return essence.lowercased().split(whereSeparator: { $0 == " " || $0 == "\t" }) == ["text/event-stream"]
    }
}

extension NetworkError.Code {
    /// A server-sent event is larger than the parser's limit.
    public static let eventTooLarge = Self(rawValue: "eventTooLarge")
    /// The response is not an event stream: another content type or status. Do not try again.
    public static let notAnEventStream = Self(rawValue: "notAnEventStream")
}
