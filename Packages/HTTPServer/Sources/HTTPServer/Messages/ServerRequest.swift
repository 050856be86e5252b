// SPDX-License-Identifier: MIT

public import Networking

/// A request whose header has been received and checked. Its body comes as it is read.
public struct ServerRequest: Sendable {
    /// The name of this request in logs and problem details: the client's `X-Request-Id` if it is harmless, else a new
    /// one.
    public let id: String
    /// What it asks for.
    public let method: HTTPMethod
    /// The segments of the path, percent-decoded and free of `.`, `..`, slashes and control characters; empty for `/`.
    /// A slash at the end makes a last segment that is empty.
    public let path: [String]
    /// Whether it is `OPTIONS *`, which asks about the server as a whole; then the path is empty.
    public let isAsterisk: Bool
    /// What stood after the `?`, decoded.
    public let query: QueryItems
    /// The header's fields, checked for what may stand in them.
    public let headers: HTTPHeaders
    /// Host and port that the client wanted, in the spelling of the request; `nil` only in HTTP/1.0.
    public let host: String?
    /// Where it came from: a proxy, if one stands in between. `X-Forwarded-For` is not looked at.
    public let remoteAddress: SocketAddress?
    /// The body.
    public var body: RequestBody
    /// What the router found in the path, by the names in the route's pattern.
    public internal(set) var parameters: [String: String] = [:]
    let trace = RequestTrace()

    /// The name of the route that answers it, once a router has found it.
    public var route: String? { trace.route }

    /// A request, for tests of handlers without a server.
    public init(
        id: String = "test", method: HTTPMethod = .get, path: [String] = [], isAsterisk: Bool = false,
        query: QueryItems = QueryItems(), headers: HTTPHeaders = [:], host: String? = "localhost",
        remoteAddress: SocketAddress? = nil, body: RequestBody = RequestBody([])
    ) {
        self.id = id
        self.method = method
        self.path = path
        self.isAsterisk = isAsterisk
        self.query = query
        self.headers = headers
        self.host = host
        self.remoteAddress = remoteAddress
        self.body = body
    }

    /// The value that the path has at the place of `{name}`.
    ///
    /// - Throws: A ``ServerProblem`` with 500 if the route has no such name, which is the route's fault.
    public func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw ServerProblem.internalError }
        return value
    }
}
