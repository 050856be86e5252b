// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials
import Security

/// AWS Signature Version 4 ("Signature Version 4 signing process", AWS General Reference). Pure: the time is an
/// argument.
struct SignatureV4 {
    static let algorithm = "AWS4-HMAC-SHA256"
    /// Stands for the hash of a body that is not signed.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    let credentials: S3Credentials
    let region: String
    var service = "s3"
    let time: Date

    /// The parts of a request that are signed.
    struct Request {
        var method: String
        /// Percent-encoded, from the first slash on.
        var path: String
        /// Names and values, percent-encoded, in any order.
        var query: [(name: String, value: String)] = []
        /// The fields to sign, `Host` among them.
        var headers: [(name: String, value: String)]
        /// The SHA-256 of the body in hexadecimal, or ``SignatureV4/unsignedPayload``.
        var payload: String
    }

    /// The value of `x-amz-date`, such as `20130524T000000Z`.
    var stamp: String {
        time.formatted(
            Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
    }

    private var scope: String { "\(stamp.prefix(8))/\(region)/\(service)/aws4_request" }

    /// The value of `Authorization`.
    func authorization(for request: Request) throws -> String {
        let (canonical, names) = Self.canonical(request)
        return "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(try signature(of: canonical))"
    }

    /// The query that authenticates a request without header fields: percent-encoded, with the signature at its end.
    func presignedQuery(for request: Request, lifetime: Int) throws -> String {
        var request = request
        request.payload = Self.unsignedPayload
        let names = Self.canonical(request).names
        var own = [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
            ("X-Amz-Date", stamp), ("X-Amz-Expires", "\(lifetime)"), ("X-Amz-SignedHeaders", names),
        ]
        if let token = credentials.sessionToken {
            own.append(("X-Amz-Security-Token", token.withExposed { String(decoding: $0, as: UTF8.self) }))
        }
        request.query += own.map { ($0, PercentEncoding.encode($1)) }
        let signature = try signature(of: Self.canonical(request).text)
        return Self.text(of: request.query) + "&X-Amz-Signature=\(signature)"
    }

    /// A query in the order in which it is signed: by name, then value. "=" is greater than some bytes of a name, so the
    /// pairs are compared.
    static func text(of query: [(name: String, value: String)]) -> String {
        query.sorted { first, second in
            first.name == second.name
                ? first.value.utf8.lexicographicallyPrecedes(second.value.utf8)
                : first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
        }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// The canonical request, and the names of its fields.
    static func canonical(_ request: Request) -> (text: String, names: String) {
        var fields: [String: [String]] = [:]
        for (name, value) in request.headers { fields[name.lowercased(), default: []].append(trimmed(value)) }
        let names = fields.keys.sorted()
        let lines = names.map { "\($0):\((fields[$0] ?? []).joined(separator: ","))\n" }.joined()
        let signed = names.joined(separator: ";")
        let text = [request.method, request.path, text(of: request.query), lines, signed, request.payload].joined(
            separator: "\n")
        return (text, signed)
    }

    private func signature(of canonical: String) throws -> String {
        let hash = Hexadecimal.text(try MessageDigest.hash(canonical.utf8, .sha256))
        let text = [Self.algorithm, stamp, scope, hash].joined(separator: "\n")
        var key = credentials.secretKey.withExposed { Array("AWS4".utf8) + $0 }
        for part in [String(stamp.prefix(8)), region, service, "aws4_request"] {
            key = try HMACSHA256.code(for: Array(part.utf8), key: key)
        }
        return Hexadecimal.text(try HMACSHA256.code(for: Array(text.utf8), key: key))
    }

    /// The value without white space around it, and with single spaces in it.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }
}
