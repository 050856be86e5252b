// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One request (RFC 9110).
public struct HTTPRequest: Sendable {
    /// What to do.
    public var method: HTTPMethod
    /// Where: an absolute `https` (or, where the transport allows it, `http`) address without a user name.
    public var url: URL
    /// The fields to send besides those that the transport writes itself (`Host`, `Content-Length`, `Accept-Encoding`).
    public var headers: HTTPHeaders
    /// What to send.
    public var body: HTTPBody
    /// Limits for this request; `nil` takes the transport's.
    public var timeouts: HTTPTimeouts?
    /// The most bytes of body, after decompression, to accept; `nil` takes the transport's limit.
    public var maximumResponseBytes: Int?
    /// What to do when the server answers with another address.
    public var redirects: HTTPRedirects
    /// Called while the body is being sent, on the transport's thread: return at once. A retry begins anew.
    public var onUpload: (@Sendable (HTTPUploadProgress) -> Void)?
    /// What the client's stages are to do with this request.
    public var options: HTTPRequestOptions

    /// A request.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - url: Where.
    ///   - headers: The fields to send.
    ///   - body: What to send.
    public init(_ method: HTTPMethod = .get, _ url: URL, headers: HTTPHeaders = [:], body: HTTPBody = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        timeouts = nil
        maximumResponseBytes = nil
        redirects = .follow(maximum: 10)
        options = HTTPRequestOptions()
    }
}

/// How much of a request's body has been handed to the network.
public struct HTTPUploadProgress: Sendable, Hashable {
    /// Bytes handed over so far. The server may not have received the last of them.
    public var sentBytes: Int
    /// All bytes of the body; nil for a stream without a length.
    public var totalBytes: Int?

    /// Progress.
    public init(sentBytes: Int, totalBytes: Int?) {
        self.sentBytes = sentBytes
        self.totalBytes = totalBytes
    }
}
