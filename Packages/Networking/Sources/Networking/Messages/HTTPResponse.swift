// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A response whose header has come and whose body is still coming.
public struct HTTPResponse: Sendable {
    /// The status code, 200 to 599 as a rule.
    public var status: Int
    /// The fields as the server sent them. `Content-Encoding` and `Content-Length` tell of the encoded body.
    public var headers: HTTPHeaders
    /// The address that answered, after redirects.
    public var url: URL
    /// The protocol's version.
    public var version: HTTPVersion
    /// When the phases up to the header ended.
    public var timings: HTTPTimings
    /// The content, decompressed. It can be read once.
    public var body: HTTPResponseBody
    /// Every attempt that was made for it, this one last, if a client made them.
    public var attempts: [HTTPAttempt] = []
    /// Where it comes from.
    public var source = Source.network

    /// Where a response comes from.
    public enum Source: Sendable, Hashable {
        /// The server.
        case network
        /// The cache, without asking the server.
        case stored
        /// The cache, after the server said that it is still right.
        case validated
        /// The cache, past its time, because the server could not be asked.
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

    /// Whether the status is 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }
}
