// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A stored response and what is needed to judge it later.
public struct CachedResponse: Sendable, Hashable {
    /// The status.
    public var status: Int
    /// The fields, without those that belong to one connection or to the encoding on the way.
    public var headers: HTTPHeaders
    /// The address that answered.
    public var url: URL
    /// The request's fields that `Vary` names, in lower case; `nil` where the request had none.
    public var varying: [String: String?]
    /// When the request was sent.
    public var requested: Date
    /// When the response came.
    public var responded: Date
    /// The content, decompressed.
    public var body: [UInt8]

    /// A stored response.
    public init(
        status: Int, headers: HTTPHeaders, url: URL, varying: [String: String?], requested: Date, responded: Date,
        body: [UInt8]
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.varying = varying
        self.requested = requested
        self.responded = responded
        self.body = body
    }

    /// About how many bytes of memory it takes.
    public var size: Int {
        body.count + headers.reduce(256) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
