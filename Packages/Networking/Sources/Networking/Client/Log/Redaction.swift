// SPDX-License-Identifier: MIT

/// Secrets to remove from logs, errors, archives and cassettes: credentials in headers, query items and JSON.
public struct Redaction: Sendable {
    /// The replacement for a secret.
    public static let mark = "<redacted>"

    /// Names of header fields, in lower case, whose values are secrets, beside those with a secret's ending.
    public var headerNames: Set<String> = ["authorization", "proxy-authorization", "cookie", "set-cookie"]
    /// Ends of names, in lower case letters and digits, of header fields, query items and JSON members whose values are
    /// secrets. Other characters of a name do not count: `api_key[]` ends in `key`.
    public var nameEndings = [
        "token", "code", "key", "secret", "password", "passwd", "pwd", "passphrase", "signature", "sig", "otp", "jwt",
        "auth",
    ]

    /// The standard names.
    public init() {}

    /// A header without its secrets.
    public func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                HTTPHeaders.Field(
                    name: field.name, value: isSecretHeader(field.name) ? Self.mark : redacted(field.value))
            })
    }

    /// A header field with a credential.
    func isSecretHeader(_ name: String) -> Bool { headerNames.contains(name.lowercased()) || isSecret(name) }

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
            let value = rest.prefix { !"&#; ,\"".contains($0) }
            // An encoded address in a value has items of its own.
            guard isSecret(String(name)) || hasEncodedSecret(value) else { continue }
            result += Self.mark
            rest = rest[value.endIndex...]
        }
        return result + rest
    }

    private func hasEncodedSecret(_ value: Substring) -> Bool {
        guard value.utf8.contains(UInt8(ascii: "%")) else { return false }
        let decoded = String(value).percentDecoded
        guard decoded != value else { return false }
        return redacted(decoded) != decoded
    }

    /// A body of JSON or form fields without the values of secret members. Other text is returned unchanged.
    public func redacted(body: String) -> String {
        let text = body.replacing(#/"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*"|[-0-9.eE+]+)/#) { match in
            isSecret(String(match.1)) ? "\"\(match.1)\"\(match.2)\"\(Self.mark)\"" : String(match.0)
        }
        return text.first == "{" || text.first == "[" ? text : redacted(text)
    }

    /// True if a query item or JSON member of that name is a secret. A percent-encoded name counts as the server reads
    /// it.
    public func isSecret(_ name: String) -> Bool {
        let decoded = name.utf8.contains(UInt8(ascii: "%")) ? name.percentDecoded : name
        let letters = decoded.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return nameEndings.contains { letters.hasSuffix($0) }
    }
}

extension String {
    /// The text with each `%XX` replaced by its byte; an invalid form is left as it is, unlike in
    /// `removingPercentEncoding`.
    fileprivate var percentDecoded: String {
        let bytes = Array(utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
