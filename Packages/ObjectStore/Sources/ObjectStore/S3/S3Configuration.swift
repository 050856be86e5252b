// SPDX-License-Identifier: MIT

public import FoundationEssentials
public import Networking

/// A bucket, and the way to it.
public struct S3Configuration: Sendable {
    /// The position of the bucket's name in an address.
    public enum AddressStyle: Sendable, Hashable {
        /// `https://HOST/BUCKET/KEY`, which most servers other than Amazon's want.
        case path
        /// `https://BUCKET.HOST/KEY`, which Amazon wants.
        case virtualHost
    }

    /// The bucket.
    public var bucket: String
    /// The beginning of every key in the bucket, without a slash at its end; nil for none.
    public var prefix: ObjectKey?
    /// The server's address without a path, such as `https://s3.eu-central-1.amazonaws.com`.
    public var endpoint: URL
    /// The region that requests are signed for; `us-east-1` for servers that have none.
    public var region: String
    /// The position of the bucket's name.
    public var addressStyle: AddressStyle
    /// Trust, proxy and time limits. Plain `http` goes to this machine only, unless `plainHTTPHosts` lists the host.
    public var connections = CurlTransport.Configuration()
    /// The attempts of a request, and the waits between them.
    public var retry = RetryPolicy()

    /// A bucket.
    ///
    /// - Parameters:
    ///   - endpoint: Nil for Amazon's in the region.
    ///   - addressStyle: Nil for `virtualHost` at Amazon and `path` elsewhere.
    /// - Throws: ``ObjectStoreError`` with the code `invalidConfiguration`.
    public init(
        bucket: String, region: String = "us-east-1", endpoint: URL? = nil, prefix: ObjectKey? = nil,
        addressStyle: AddressStyle? = nil
    ) throws(ObjectStoreError) {
        guard Self.isBucket(bucket) else {
            throw Self.invalid("The bucket's name has 3 to 63 of a-z, 0-9, dots and hyphens. Correct it.")
        }
        guard !region.isEmpty, region.utf8.allSatisfy(Self.isNameByte) else {
            throw Self.invalid("The region is a name such as eu-central-1. Correct it.")
        }
        let amazon = URL(string: "https://s3.\(region).amazonaws.com")
        guard let endpoint = endpoint ?? amazon, let host = endpoint.host(), !host.isEmpty,
            ["http", "https"].contains(endpoint.scheme ?? ""), ["", "/"].contains(endpoint.path()),
            endpoint.query() == nil, endpoint.fragment() == nil, endpoint.user() == nil, host == host.lowercased()
        else {
            throw Self.invalid("The endpoint is an address like https://s3.example.org, without a path. Correct it.")
        }
        (self.bucket, self.region, self.endpoint, self.prefix) = (bucket, region, endpoint, prefix)
        // A certificate for *.HOST does not cover a name with a dot in it.
        let isAmazon = host.hasSuffix(".amazonaws.com") && !bucket.contains(".")
        self.addressStyle = addressStyle ?? (isAmazon ? .virtualHost : .path)
        retry.addsIdempotencyKey = false
        retry.maximumAttempts = 5
    }

    /// A bucket from an address: `s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION&style=path`, of which only the
    /// bucket must be there.
    ///
    /// - Throws: ``ObjectStoreError`` with the code `invalidConfiguration`.
    public init(_ text: String) throws(ObjectStoreError) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.hasPrefix("s3://"), let place = parts.first?.dropFirst(5) else {
            throw Self.invalid("The place of objects is written s3://BUCKET/PREFIX?endpoint=…&region=…")
        }
        let names = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var options: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let value = PercentEncoding.decode(sides[1]),
                ["endpoint", "region", "style"].contains(sides[0])
            else { throw Self.invalid("The options of s3://… are endpoint, region and style (path or host).") }
            options[String(sides[0])] = value
        }
        let prefix: ObjectKey?
        do throws(ObjectStoreError) {
            let text = names.count > 1 ? names[1] : ""
            prefix = text.isEmpty ? nil : try ObjectKey(String(text.hasSuffix("/") ? text.dropLast() : text))
        } catch { throw Self.invalid("The prefix of s3://… cannot be used. \(error.message)") }
        let endpoint = options["endpoint"].map { URL(string: $0) }
        if case .some(.none) = endpoint { throw Self.invalid("The endpoint is no URL. Correct it.") }
        let styles: [String: AddressStyle] = ["path": .path, "host": .virtualHost]
        let style = options["style"].map { styles[$0] }
        if case .some(.none) = style { throw Self.invalid("The style is path or host.") }
        try self.init(
            bucket: names.first.map(String.init) ?? "", region: options["region"] ?? "us-east-1",
            endpoint: endpoint ?? nil, prefix: prefix, addressStyle: style ?? nil)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
    }

    private static func isBucket(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count) && name.utf8.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: ".") }
            && !name.contains("..") && !name.hasPrefix(".") && !name.hasSuffix(".")
    }

    private static func invalid(_ message: String) -> ObjectStoreError {
        ObjectStoreError(code: .invalidConfiguration, message: message)
    }
}
