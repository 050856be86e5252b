// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics
public import Networking

/// A request whose header has been received and checked. Its body arrives while it is read.
public struct ServerRequest: Sendable {
    /// The id of this request in logs and problem details: the client's `X-Request-Id` if it is harmless, else a new
    /// one.
    public let id: String
    /// The method.
    public let method: HTTPMethod
    /// The segments of the path, percent-decoded and free of `.`, `..`, slashes and control characters; empty for `/`.
    /// A slash at the end makes a last segment that is empty.
    public let path: [String]
    /// True if it is `OPTIONS *`, which asks about the server as a whole; then the path is empty.
    public let isAsterisk: Bool
    /// The query after the `?`, decoded.
    public let query: QueryItems
    /// The header's fields, checked for invalid characters.
    public let headers: HTTPHeaders
    /// The host and port of the request, in its spelling; `nil` only in HTTP/1.0.
    public let host: String?
    /// The address of the client, or of a proxy before it. `X-Forwarded-For` is ignored.
    public let remoteAddress: SocketAddress?
    /// The body.
    public var body: RequestBody
    /// The path's parameters, by the names in the route's pattern.
    public internal(set) var parameters: [String: String] = [:]
    let trace = RequestTrace()

    /// The name of the route that answers; nil until a router has found it.
    public var route: String? { trace.route }

    /// The place in the client's trace; nil without a valid `traceparent`.
    public var traceContext: TraceContext? {
        headers[TraceContext.headerName].flatMap(TraceContext.init(traceparent:))
    }

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

    /// The part of the path at the position of `{name}`.
    ///
    /// - Throws: A ``ServerProblem`` with 500 if the route has no such name, which is the route's fault.
    public func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw ServerProblem.internalError }
        return value
    }
}

/// Facts about a request, for logs and metrics. Shared by all copies of the request.
final class RequestTrace: Sendable {
    private let name = Guarded<String?>(nil)

    /// The name of the route that answers.
    var route: String? {
        get { name.withLock { $0 } }
        set { name.withLock { $0 = newValue } }
    }
}

/// The id of a request in logs, in its answer and in problem details.
enum RequestID {
    /// The id that the client gave in `X-Request-Id`, if it is harmless: 8 to 64 letters, digits, `-`, `_` and `.`.
    static func accept(_ value: String?) -> String? {
        guard let value, (8...64).contains(value.utf8.count),
            value.utf8.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            })
        else { return nil }
        return value
    }

    /// A new one: 96 random bits in hexadecimal.
    static func make(random: inout some RandomNumberGenerator) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var high = UInt64.random(in: .min ... .max, using: &random)
        var low = UInt64.random(in: .min ... .max, using: &random)
        return String(unsafeUninitializedCapacity: 24) { buffer in
            for index in 0..<24 {
                buffer[index] = digits[Int(index < 16 ? high & 15 : low & 15)]
                if index < 16 { high >>= 4 } else { low >>= 4 }
            }
            return 24
        }
    }
}
