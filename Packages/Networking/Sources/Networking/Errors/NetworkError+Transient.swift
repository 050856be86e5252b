// SPDX-License-Identifier: MIT

extension NetworkError {
    /// True if the same request may succeed later without anybody changing anything: what uploads, event streams and
    /// queues try again. This is the one list of what is worth retrying.
    public var isTransient: Bool { outlook != .permanent }

    /// True if a status may be another one later, without anybody changing anything: 408, 425, 429, and 500 or more.
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
        // Something on the way, such as a captive portal, may answer in the server's place; `other` says too little.
        case .secure, .invalidResponse, .timeout, .circuitOpen, .outOfMemory, .other: .later
        // A proxy's ban stays until a person changes something; one that cannot reach the server is `connect`.
        case .proxy, .status, .webSocketHandshake, .notAnEventStream:
            status.map(Self.isTransient(status:)) == true ? .later : .permanent
        default: .permanent
        }
    }
}

extension HTTPResponse {
    /// True if the server failed, as opposed to refusing: what `stale-if-error` (RFC 5861 §4) and the breaker look at.
    var isServerFault: Bool { [500, 502, 503, 504].contains(status) }
}
