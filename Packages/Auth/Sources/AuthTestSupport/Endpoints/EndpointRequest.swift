// SPDX-License-Identifier: MIT

import AuthServer

/// A request as the endpoints see it, whatever carried it.
struct EndpointRequest: Sendable {
    /// `GET`, `POST` or `DELETE`.
    var method: String
    /// The path below the auth server's address, without a slash in front: `otp`, `sessions/…`; percent-decoded.
    var path: String
    /// The query's members, percent-decoded, in their order.
    var query: [(name: String, value: String)]
    /// What stood after `Bearer` in `Authorization`.
    var bearer: String?
    /// The content; JSON, if there is any.
    var body: [UInt8]
    /// From where it came.
    var prefix: NetworkPrefix
    /// What the program calls itself (`User-Agent`).
    var device: String

    /// A request.
    init(
        method: String, path: String, query: [(name: String, value: String)] = [], bearer: String? = nil,
        body: [UInt8] = [], prefix: NetworkPrefix, device: String = ""
    ) {
        (self.method, self.path, self.query, self.bearer) = (method, path, query, bearer)
        (self.body, self.prefix, self.device) = (body, prefix, device)
    }
}

/// What is to be answered.
struct EndpointAnswer: Sendable {
    /// The status.
    var status: Int
    /// The fields besides those of the carrier; `Content-Type` is among them if there is content.
    var headers: [(name: String, value: String)]
    /// The content.
    var body: [UInt8]
}
