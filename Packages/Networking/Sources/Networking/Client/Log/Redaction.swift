// SPDX-License-Identifier: MIT

/// What must not be seen in logs, errors, archives and cassettes: credentials in headers, query items and JSON.
public struct Redaction: Sendable {
    /// What stands in place of a secret.
    public static let mark = "<redacted>"

    /// Names of header fields, in lower case, whose values are secrets.
    public var headerNames: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "idempotency-key",
    ]
    /// Ends of names, in lower case, of query items and JSON members whose values are secrets.
    public var nameEndings = ["token", "code", "key", "secret", "password", "passphrase", "signature", "otp"]

    /// The standard names.
    public init() {}

    /// A header without its secrets.
    public func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                let isSecret = headerNames.contains(field.name.lowercased())
                return HTTPHeaders.Field(name: field.name, value: isSecret ? Self.mark : redacted(field.value))
            })
    }

    /// An address, or a text with addresses or form fields in it, without the values of secret items.
    public func redacted(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
        var result = ""
        var rest = Substring(text)
        while let equals = rest.firstIndex(of: "=") {
            let head = rest[..<equals]
            let name = head.lastIndex { "?&#; ,\"".contains($0) }.map { head[head.index(after: $0)...] } ?? head
            result += head
            result += "="
            rest = rest[rest.index(after: equals)...]
            guard isSecret(String(name)) else { continue }
            result += Self.mark
            rest = rest.drop { !"&#; ,\"".contains($0) }
        }
        return result + rest
    }

    /// A body of JSON or form fields without the values of secret members. Other text comes back as it is.
    public func redacted(body: String) -> String {
        let text = body.replacing(#/"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*"|[-0-9.eE+]+)/#) { match in
            isSecret(String(match.1)) ? "\"\(match.1)\"\(match.2)\"\(Self.mark)\"" : String(match.0)
        }
        return text.first == "{" || text.first == "[" ? text : redacted(text)
    }

    /// Whether a query item or JSON member of that name is a secret.
    public func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return nameEndings.contains { name.hasSuffix($0) }
    }
}
