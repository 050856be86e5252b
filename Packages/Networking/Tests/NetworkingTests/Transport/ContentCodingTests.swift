// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Testing

/// Compressed responses: every coding that libcurl offers, and what is wrong with them.
struct ContentCodingTests {
    static let content = Array(String(repeating: "The quick brown fox. ", count: 50).utf8)

    /// `content` as brotli, zstd, zlib and gzip compress it.
    static let fixtures = [
        ("br", "GxkEAATqZKleSFoSko1JflOoUQqsKuOdnP1NrG4ovQE="),
        ("zstd", "KLUv/QRo7QAAqFRoZSBxdWljayBicm93biBmb3guIAEABcB/MgFcv9f2"),
        ("deflate", "eNoLyUhVKCzNTM5WSCrKL89TSMuv0FMIGRUcFRwVHNmCAAnLcQI="),
        ("gzip", "H4sIAAAAAAACAwvJSFUoLM1MzlZIKsovz1NIy6/QUwgZFRwVHBUc2YIA75qBWBoEAAA="),
    ]
    /// What some servers send for `deflate`, without zlib's frame (RFC 9110 §8.4.1.2).
    static let bareDeflate = "C8lIVSgszUzOVkgqyi/PU0jLr9BTCBkVHBUcFRzZggA="

    static func bytes(_ base64: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: base64)))
    }

    private func get(_ coding: String, _ body: [UInt8], maximumBytes: Int? = nil) async throws -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        let proxy = try FaultProxy(upstream: .response(Array(head.utf8) + body), fault: nil)
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        configuration.timeouts = HTTPTimeouts(connect: nil, firstByte: nil, idle: nil)
        let transport = try CurlTransport(configuration: configuration)
        var request = HTTPRequest(.get, try #require(URL(string: "http://127.0.0.1:\(proxy.port)/")))
        request.maximumResponseBytes = maximumBytes
        return try await transport.send(request).body.collect()
    }

    @Test func offersWhatItCanDecode() async throws {
        let server = try NginxServer.shared.get()
        let transport = try CurlTransport(configuration: server.configuration)
        let body = try await transport.send(HTTPRequest(.get, server.plain("/echo"))).body.collect()
        let offer = try #require(String(decoding: body, as: UTF8.self).split(separator: " e=").last)
        #expect(Set(offer.split(separator: ", ")).isSuperset(of: ["deflate", "gzip", "br", "zstd"]))
    }

    @Test(arguments: fixtures + [("deflate", bareDeflate), ("x-gzip", fixtures[3].1)])
    func decodes(coding: String, base64: String) async throws {
        #expect(try await get(coding, Self.bytes(base64)) == Self.content)
    }

    @Test func decodesOneInsideTheOther() async throws {
        let body = try Self.bytes(
            "ixiAH4sIAAAAAAACAwvJSFUoLM1MzlZIKsovz1NIy6/QUwgZFRwVHBUc2YIA75qBWBoEAAAD")
        #expect(try await get("gzip, br", body) == Self.content)
    }

    @Test(arguments: fixtures) func aDamagedBodyIsAnError(coding: String, base64: String) async throws {
        var damaged = try Self.bytes(base64)
        for index in (damaged.count / 4)..<(damaged.count / 2) { damaged[index] ^= 0xFF }
        await expectError(.invalidResponse) { [damaged] in _ = try await get(coding, damaged) }
        await expectError(.invalidResponse) { _ = try await get(coding, Array("not compressed at all".utf8)) }
    }

    @Test func anUnknownCodingIsAnError() async throws {
        await expectError(.invalidResponse) { _ = try await get("rot13", Self.content) }
    }

    @Test(arguments: fixtures) func theLimitCountsWhatComesOut(coding: String, base64: String) async throws {
        let body = try Self.bytes(base64)
        await expectError(.responseTooLarge) {
            _ = try await get(coding, body, maximumBytes: Self.content.count - 1)
        }
        #expect(try await get(coding, body, maximumBytes: Self.content.count).count == Self.content.count)
    }
}
