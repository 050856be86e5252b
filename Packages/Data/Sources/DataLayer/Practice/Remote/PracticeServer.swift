// SPDX-License-Identifier: MIT

import Domain
public import FoundationEssentials
public import Networking
import PracticeWire

/// The server of an account, for its repositories: a URL, and a client that sends requests with the account's token.
public struct PracticeServer: Sendable {
    /// The base URL of the interface's paths.
    public let address: URL
    let client: any HTTPTransport

    /// Makes the value for a server.
    ///
    /// - Parameters:
    ///   - address: The base URL, with or without a path.
    ///   - client: Sends the requests: an `HTTPClient` with the account's `AccessTokenProvider`, and a cache for
    ///     `ETag`s.
    public init(address: URL, client: any HTTPTransport) {
        self.address = address
        self.client = client
    }

    /// Sends a request and decodes the response's JSON.
    func value<Value: Decodable>(
        _ method: HTTPMethod, _ path: [String],
        _ parameters: QueryParameters = QueryParameters(), body: [UInt8]? = nil
    ) async throws -> Value {
        try Self.read(try await bytes(method, path, parameters, body: body))
    }

    /// GETs and decodes JSON; nil on 404.
    func valueIfThere<Value: Decodable>(_ type: Value.Type = Value.self, _ path: [String]) async throws -> Value? {
        do {
            return try await value(.get, path)
        } catch DomainError.notFound {
            return nil
        }
    }

    /// Sends a DELETE; false on 404.
    func delete(_ path: [String]) async throws -> Bool {
        do {
            _ = try await bytes(.delete, path)
            return true
        } catch DomainError.notFound {
            return false
        }
    }

    /// Sends a request and returns the response's bytes.
    func bytes(
        _ method: HTTPMethod, _ path: [String], _ parameters: QueryParameters = QueryParameters(),
        body: [UInt8]? = nil, headers: HTTPHeaders = [:], upTo limit: Int = 16 << 20
    ) async throws -> [UInt8] {
        try await domainErrors {
            var request = HTTPRequest(method, try url(path, parameters), headers: headers)
            if !request.headers.contains(name: "Accept") { request.headers["Accept"] = "application/json" }
            if let body {
                request.headers["Content-Type"] = "application/json"
                request.body = .bytes(body)
            }
            return try await client.bytes(for: request, upTo: limit)
        }
    }

    /// A URL of the interface; each part of the path and each parameter is encoded.
    func url(_ path: [String], _ parameters: QueryParameters = QueryParameters()) throws -> URL {
        var text = address.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        for part in path { text += "/" + Self.encoded(part) }
        let query = parameters.items.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
        if !query.isEmpty { text += "?" + query.joined(separator: "&") }
        guard let url = URL(string: text) else {
            throw DomainError.invalidInput("\(text) is not a URL. Check the server's address.")
        }
        return url
    }

    static func read<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
        do {
            return try WireJSON.decode(from: bytes)
        } catch {
            throw DomainError(translating: error)
        }
    }

    /// Percent-encodes everything except the unreserved characters of RFC 3986 §2.3.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
