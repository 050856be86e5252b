// SPDX-License-Identifier: MIT

extension NetworkError {
    /// True if the same request may succeed later by itself. Uploads, event streams and queues then try again. This is
    /// the one list of retryable errors.
    public var isTransient: Bool { outlook != .permanent }

    /// True if a status may change later by itself: 408, 425, 429, and 500 or more.
    public static func isTransient(status: Int) -> Bool {
        [408, 425, 429].contains(status) || status >= 500
    }

    /// True if a second or two may be enough, so that a request is repeated while its caller waits.
    var passesSoon: Bool { outlook == .soon }

    private enum Outlook {
        case soon
        case later
        case permanent
    }

    private var outlook: Outlook {
        switch code {
        case .resolve, .connect, .connectionLost, .connectTimeout, .firstByteTimeout, .idleTimeout: .soon
        // A captive portal or another host on the path may answer in the server's place; `other` says too little.
        case .secure, .invalidResponse, .timeout, .circuitOpen, .outOfMemory, .other: .later
        // A proxy's ban stays until a person changes something; a proxy that cannot reach the server is `connect`.
        case .proxy, .status, .webSocketHandshake, .notAnEventStream:
            status.map(Self.isTransient(status:)) == true ? .later : .permanent
        default: .permanent
        }
    }
}

extension HTTPResponse {
    /// True if the server failed, as opposed to refusing. `stale-if-error` (RFC 5861 §4) and the breaker depend on it.
    var isServerFault: Bool { [500, 502, 503, 504].contains(status) }
}
