// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Makes the addresses of a bucket's objects, in which nothing is left to encode.
struct S3Address: Sendable {
    /// The value of the field `Host`, as libcurl writes it.
    let host: String
    private let scheme: String
    private let bucketPath: String
    private let prefix: String

    init(_ configuration: S3Configuration) {
        let endpoint = configuration.endpoint
        scheme = endpoint.scheme ?? "https"
        var authority = String(endpoint.absoluteString.dropFirst(scheme.utf8.count + 3).prefix { $0 != "/" })
        let port = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(port) { authority.removeLast(port.utf8.count) }
        switch configuration.addressStyle {
        case .path: (host, bucketPath) = (authority, "/" + configuration.bucket)
        case .virtualHost: (host, bucketPath) = ("\(configuration.bucket).\(authority)", "")
        }
        prefix = configuration.prefix.map { $0.text + "/" } ?? ""
    }

    /// The name of an object in the bucket.
    func name(of key: ObjectKey) throws(ObjectStoreError) -> String {
        let name = prefix + key.text
        guard name.utf8.count <= ObjectKey.maximumByteCount else {
            throw ObjectStoreError(
                code: .invalidKey, message: "The key and the bucket's prefix have more than 1,024 bytes. Shorten them.")
        }
        return name
    }

    /// The beginning of names that begins keys.
    func name(ofPrefix text: String) -> String { prefix + text }

    /// The key of a name in the bucket; nil for an invalid name.
    func key(of name: String) -> ObjectKey? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        return try? ObjectKey(String(Substring(name.utf8.dropFirst(prefix.utf8.count))))
    }

    /// The percent-encoded path of a name, or of the bucket.
    func path(of name: String?) -> String {
        guard let name else { return bucketPath.isEmpty ? "/" : bucketPath }
        return bucketPath + "/" + PercentEncoding.encode(name, isPath: true)
    }

    /// The address of a name, or of the bucket.
    func url(of name: String?, query: String = "") throws(ObjectStoreError) -> URL {
        let text = "\(scheme)://\(host)\(path(of: name))" + (query.isEmpty ? "" : "?" + query)
        guard let url = URL(string: text) else {
            throw ObjectStoreError(code: .invalidKey, message: "The key makes no address. Choose another key.")
        }
        return url
    }
}
