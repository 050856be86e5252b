// SPDX-License-Identifier: MIT

/// What a transfer came to. Until its last byte has come, what it has come to so far.
public struct HTTPTransferSummary: Sendable, Hashable {
    /// When the phases ended.
    public var timings: HTTPTimings
    /// Bytes of body received, before decompression.
    public var bytesReceived: Int
    /// Bytes of body sent.
    public var bytesSent: Int
    /// The peer's address, such as `192.0.2.1`, or the proxy's.
    public var remoteAddress: String?
    /// Whether the connection was new.
    public var isNewConnection: Bool
    /// The fields that came after a chunked body (RFC 9110 §6.5).
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
