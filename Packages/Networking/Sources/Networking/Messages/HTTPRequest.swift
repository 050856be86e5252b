// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// One request (RFC 9110).
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// An absolute `https` (or, where the transport allows it, `http`) address without a user name.
    public var url: URL
    /// The fields to send besides those that the transport writes itself (`Host`, `Content-Length`, `Accept-Encoding`).
    public var headers: HTTPHeaders
    /// The body.
    public var body: HTTPBody
    /// Limits for this request; `nil` takes the transport's.
    public var timeouts: HTTPTimeouts?
    /// The most bytes of body, after decompression, to accept; `nil` takes the transport's limit.
    public var maximumResponseBytes: Int?
    /// The handling of redirects.
    public var redirects: HTTPRedirects
    /// Called while the body is being sent, on the transport's thread: return at once. A retry begins anew.
    public var onUpload: (@Sendable (HTTPUploadProgress) -> Void)?
    /// Options for the client's stages.
    public var options: HTTPRequestOptions

    /// A request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The URL.
    ///   - headers: The fields to send.
    ///   - body: The body.
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

/// The bytes of a request's body that the network has taken.
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

/// A request's method (RFC 9110 §9). Methods are case-sensitive.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method's name as it is sent.
    public let rawValue: String

    /// A method by its name, such as `PROPFIND`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }

    /// `GET`: read.
    public static let get = HTTPMethod(rawValue: "GET")
    /// `HEAD`: read the header only.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// `POST`: an action that the server defines; not safe to repeat.
    public static let post = HTTPMethod(rawValue: "POST")
    /// `PUT`: replace.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// `PATCH`: change a part; not safe to repeat (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// `DELETE`: remove.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// `OPTIONS`: ask for the server's options.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// `TRACE`: echo the request.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// True if the method only reads (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        self == .get || self == .head || self == .options || self == .trace
    }

    /// True if sending the request twice has the same effect as once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        isSafe || self == .put || self == .delete
    }
}

/// Options of one request for `HTTPClient`'s stages. Transports ignore them.
public struct HTTPRequestOptions: Sendable, Hashable {
    /// The use of the cache.
    public enum Caching: Sendable, Hashable {
        /// Follow the rules (RFC 9111).
        case standard
        /// Ask the server, and store its answer.
        case reload
        /// Neither read nor store.
        case none
        /// Take any stored answer, even an expired one, and never ask the server.
        case onlyIfCached
    }

    /// The use of the cache.
    public var caching = Caching.standard
    /// True if a failed attempt may be repeated; `nil` decides by the method and the `Idempotency-Key`.
    public var isRepeatable: Bool?
    /// True if the client adds an access token and refreshes it.
    public var isAuthorized = true

    /// The defaults: standard caching, authorized.
    public init() {}
}

/// The handling of redirects (RFC 9110 §15.4).
public enum HTTPRedirects: Sendable, Hashable {
    /// Follow the redirect, so many times at most. Fields with credentials are not sent to another origin: see
    /// `CurlTransport.Configuration.credentials`.
    case follow(maximum: Int)
    /// Hand the response to the caller.
    case stop
}

/// The longest time of each phase of a request, to the millisecond. Nil waits for ever.
public struct HTTPTimeouts: Sendable, Hashable {
    /// From the start until the connection is open: name, proxy, TCP and TLS. Waiting for a free connection counts.
    public var connect: Duration?
    /// From the last byte sent until the first line of the response. Interim (1xx) responses do not end it.
    public var firstByte: Duration?
    /// Between two pieces of the response. Time in which the reader is slow does not count.
    public var idle: Duration?
    /// From the start until the last byte of the response was received, redirects included.
    public var whole: Duration?

    /// Time-outs for each phase; by default 10 s, 30 s, 30 s and no limit on the whole.
    public init(
        connect: Duration? = .seconds(10), firstByte: Duration? = .seconds(30), idle: Duration? = .seconds(30),
        whole: Duration? = nil
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.whole = whole
    }
}
