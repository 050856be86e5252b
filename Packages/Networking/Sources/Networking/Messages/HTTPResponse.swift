// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A response whose header has arrived and whose body may still be arriving.
public struct HTTPResponse: Sendable {
    /// The status code, 200 to 599 as a rule.
    public var status: Int
    /// The fields as the server sent them. `Content-Encoding` and `Content-Length` describe the encoded body.
    public var headers: HTTPHeaders
    /// The address that answered, after redirects.
    public var url: URL
    /// The protocol's version.
    public var version: HTTPVersion
    /// The ends of the phases up to the header.
    public var timings: HTTPTimings
    /// The content, decompressed. It can be read once.
    public var body: HTTPResponseBody
    /// Every attempt for this response, its own last, if a client made it.
    public var attempts: [HTTPAttempt] = []
    /// The source.
    public var source = Source.network

    /// The source of a response.
    public enum Source: Sendable, Hashable {
        /// The server.
        case network
        /// The cache, without asking the server.
        case stored
        /// The cache, after the server has validated it.
        case validated
        /// The cache, past its freshness, because the server could not be asked.
        case stale
    }

    /// A response.
    public init(
        status: Int, headers: HTTPHeaders = [:], url: URL, version: HTTPVersion = .http11,
        timings: HTTPTimings = HTTPTimings(), body: HTTPResponseBody = HTTPResponseBody([])
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.version = version
        self.timings = timings
        self.body = body
    }

    /// True if the status is 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }
}

/// The version of HTTP that a response used.
public struct HTTPVersion: Sendable, Hashable, CustomStringConvertible {
    /// The number before the dot.
    public let major: Int
    /// The number after the dot.
    public let minor: Int

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// HTTP/1.0.
    public static let http10 = HTTPVersion(major: 1, minor: 0)
    /// HTTP/1.1.
    public static let http11 = HTTPVersion(major: 1, minor: 1)
    /// HTTP/2.
    public static let http2 = HTTPVersion(major: 2, minor: 0)

    /// The version as a status line writes it, such as `HTTP/1.1`; HTTP/2 and later have no minor number.
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}

/// The end of each phase of a transfer, counted from its start. Phases that a kept-alive connection skips are zero.
public struct HTTPTimings: Sendable, Hashable {
    /// The name was resolved.
    public var resolved: Duration
    /// TCP was connected, or the proxy's.
    public var connected: Duration
    /// TLS was agreed on.
    public var secured: Duration
    /// The request was about to be sent.
    public var requestStarted: Duration
    /// The first byte of the response arrived.
    public var firstByte: Duration
    /// The last byte so far arrived.
    public var total: Duration

    /// Timings; zero for a phase that did not take place.
    public init(
        resolved: Duration = .zero, connected: Duration = .zero, secured: Duration = .zero,
        requestStarted: Duration = .zero, firstByte: Duration = .zero, total: Duration = .zero
    ) {
        self.resolved = resolved
        self.connected = connected
        self.secured = secured
        self.requestStarted = requestStarted
        self.firstByte = firstByte
        self.total = total
    }
}

/// Facts about a transfer; until its last byte, about the part so far.
public struct HTTPTransferSummary: Sendable, Hashable {
    /// The ends of the phases.
    public var timings: HTTPTimings
    /// Bytes of body received, before decompression.
    public var bytesReceived: Int
    /// Bytes of body sent.
    public var bytesSent: Int
    /// The peer's address, such as `192.0.2.1`, or the proxy's.
    public var remoteAddress: String?
    /// True if the connection was new.
    public var isNewConnection: Bool
    /// The fields after a chunked body (RFC 9110 §6.5).
    public var trailers: HTTPHeaders

    /// A summary.
    public init(
        timings: HTTPTimings = HTTPTimings(), bytesReceived: Int = 0, bytesSent: Int = 0,
        remoteAddress: String? = nil, isNewConnection: Bool = false, trailers: HTTPHeaders = [:]
    ) {
        self.timings = timings
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
        self.remoteAddress = remoteAddress
        self.isNewConnection = isNewConnection
        self.trailers = trailers
    }
}
