// SPDX-License-Identifier: MIT

/// Whether and when a lost WebSocket is opened again, without doing it.
struct ReconnectingWebSocketStateMachine: Sendable {
    enum Decision: Equatable {
        /// Wait so long, then connect.
        case wait(Duration)
        /// The end; with an error unless the other end closed on purpose.
        case stop
    }

    private let configuration: ReconnectingWebSocket.Configuration
    /// Attempts and connections in a row that brought nothing.
    private var failures = 0

    init(configuration: ReconnectingWebSocket.Configuration) {
        self.configuration = configuration
    }

    /// A message has come, so the connection is a good one.
    mutating func received() { failures = 0 }

    /// The connection has ended.
    mutating func ended(
        _ closure: WebSocketClosure, random: inout some RandomNumberGenerator
    ) -> Decision {
        configuration.shouldReconnect(closure) ? again(&random) : .stop
    }

    /// The connection could not be made.
    mutating func failed(_ error: NetworkError, random: inout some RandomNumberGenerator) -> Decision {
        Self.isWorthRetrying(error) ? again(&random) : .stop
    }

    private mutating func again(_ random: inout some RandomNumberGenerator) -> Decision {
        if let limit = configuration.maximumAttempts, failures >= limit { return .stop }
        defer { failures += 1 }
        let ceiling = min(
            configuration.initialDelay * Double(1 << min(failures, 20)), configuration.maximumDelay)
        // Full jitter, so that the clients of a restarted server do not come back together.
        return .wait(ceiling * Double.random(in: 0...1, using: &random))
    }

    static func isWorthRetrying(_ error: NetworkError) -> Bool {
        if error.code == .webSocketHandshake {
            return error.status.map { [408, 425, 429, 500, 502, 503, 504].contains($0) } ?? false
        }
        let hopeless: Set<NetworkError.Code> = [
            .invalidRequest, .insecure, .certificate, .pin, .unauthorized, .refreshLimit, .closed, .headerTooLarge,
        ]
        return !hopeless.contains(error.code) && !error.isProxyRefusal
    }
}
