// SPDX-License-Identifier: MIT

public import AuthServer

/// A request in the form that the endpoints take, independent of its transport.
public struct EndpointRequest: Sendable {
    /// The query's members, percent-decoded, in their order.
    public var query: [(name: String, value: String)]
    /// The path's `{id}`.
    public var id: String?
    /// The header's field `Authorization`.
    public var authorization: String?
    /// The content; the transport limits it to ``GoTrueEndpoints/bodyLimit``.
    public var body: [UInt8]
    /// The network prefix of the client.
    public var prefix: NetworkPrefix
    /// The program's name (`User-Agent`).
    public var device: String
    /// The header's field `Accept-Language`.
    public var acceptLanguage: String?

    /// A request.
    public init(
        query: [(name: String, value: String)] = [], id: String? = nil, authorization: String? = nil,
        body: [UInt8] = [], prefix: NetworkPrefix, device: String = "", acceptLanguage: String? = nil
    ) {
        (self.query, self.id, self.authorization) = (query, id, authorization)
        (self.body, self.prefix, self.device, self.acceptLanguage) = (body, prefix, device, acceptLanguage)
    }

    /// The first member of the query with that name.
    subscript(query name: String) -> String? { query.first { $0.name == name }?.value }

    /// The access token (RFC 6750 §2.1; the scheme's name in any case).
    func bearer() throws(AuthServerError) -> String {
        let parts = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw AuthServerError(.noAuthorization, "Send the access token as Authorization: Bearer.")
        }
        return String(parts[1])
    }
}

/// A successful answer.
public struct EndpointAnswer: Sendable, Hashable {
    /// 200 or 204.
    public var status: Int
    /// JSON; empty with 204.
    public var body: [UInt8]
    /// The field `Cache-Control`.
    public var cacheControl = "no-store"
    /// Further fields of the header.
    public var headers: [String: String] = [:]

    static let noContent = EndpointAnswer(status: 204, body: [])
}
