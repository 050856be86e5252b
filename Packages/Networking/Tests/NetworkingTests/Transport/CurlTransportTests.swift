// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// The transport against a real nginx.
struct CurlTransportTests {
    let server: NginxServer
    let transport: CurlTransport

    init() throws {
        server = try NginxServer.shared.get()
        transport = try CurlTransport(configuration: server.configuration)
    }

    private func text(_ response: HTTPResponse) async throws -> String {
        String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test func getsOverHTTP1AndKeepsTheConnection() async throws {
        let first = try await transport.send(HTTPRequest(.get, server.plain("/hello")))
        #expect(first.status == 200)
        #expect(first.version == .http11)
        #expect(try await text(first) == "hello\n")
        #expect(first.body.summary.isNewConnection)
        #expect(first.body.summary.bytesReceived == 6)
        #expect(first.timings.firstByte > .zero)
        let second = try await transport.send(HTTPRequest(.get, server.plain("/hello")))
        #expect(try await text(second) == "hello\n")
        #expect(!second.body.summary.isNewConnection)
    }

    @Test func getsOverHTTP2AndMultiplexes() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let response = try await transport.send(HTTPRequest(.get, server.secure("/text.txt")))
                    #expect(response.version == .http2)
                    #expect(try await response.body.collect().count == 105_000)
                    return response.body.summary.isNewConnection
                }
            }
            let connections = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            #expect(connections == 1)
        }
    }

    @Test func decompressesUnlessTheCallerNamesEncodings() async throws {
        let response = try await transport.send(HTTPRequest(.get, server.plain("/text.txt")))
        #expect(response.headers["content-encoding"] == "gzip")
        #expect(try await response.body.collect().count == 105_000)
        #expect(response.body.summary.bytesReceived < 10_000)
        let raw = try await transport.send(
            HTTPRequest(.get, server.plain("/text.txt"), headers: ["Accept-Encoding": "gzip"]))
        #expect(try await raw.body.collect().prefix(2) == [0x1F, 0x8B])
    }

    @Test func getsRanges() async throws {
        let response = try await transport.send(
            HTTPRequest(.get, server.plain("/digits"), headers: ["Range": "bytes=2-4"]))
        #expect(response.status == 206)
        #expect(response.headers["Content-Range"] == "bytes 2-4/10")
        #expect(try await text(response) == "234")
    }

    @Test func headHasNoBody() async throws {
        let response = try await transport.send(HTTPRequest(.head, server.plain("/digits")))
        #expect(response.headers["Content-Length"] == "10")
        #expect(try await response.body.collect().isEmpty)
    }

    @Test(arguments: [true, false]) func uploadsBytesStreamsAndFiles(secure: Bool) async throws {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let folder = try TemporaryFolder()
        try Data(content).write(to: URL(filePath: folder.file("source")))
        let chunks = AsyncStream<[UInt8]> { stream in
            for start in stride(from: 0, to: content.count, by: 70_000) {
                stream.yield(Array(content[start..<min(start + 70_000, content.count)]))
            }
            stream.finish()
        }
        let again = AsyncStream<[UInt8]> { stream in
            stream.yield(content)
            stream.finish()
        }
        let bodies: [(String, HTTPBody)] = [
            ("bytes", .bytes(content)), ("file", .file(path: folder.file("source"))),
            ("chunked", .stream(HTTPBodyStream(chunks))),
            ("stream", .stream(HTTPBodyStream(again, length: content.count))), ("empty", .bytes([])), ("none", .none),
        ]
        for (name, body) in bodies {
            let path = "/put/\(name)-\(secure)"
            let url = try secure ? server.secure(path) : server.plain(path)
            let response = try await transport.send(HTTPRequest(.put, url, body: body))
            #expect([201, 204].contains(response.status), "\(name)")
            let stored = try Data(contentsOf: URL(filePath: server.folder.file("www" + path)))
            #expect(Array(stored) == (["empty", "none"].contains(name) ? [] : content), "\(name)")
        }
    }

    @Test func aStreamOfTheWrongLengthFails() async throws {
        for length in [2, 4] {
            let chunks = AsyncStream<[UInt8]> { stream in
                stream.yield([1, 2, 3])
                stream.finish()
            }
            let body = HTTPBody.stream(HTTPBodyStream(chunks, length: length))
            await expectError(.requestBody) {
                _ = try await transport.send(HTTPRequest(.put, server.plain("/put/wrong"), body: body))
            }
        }
    }

    @Test func sendsExactlyTheHeadersThatWereGiven() async throws {
        let response = try await transport.send(
            HTTPRequest(.post, server.plain("/echo"), headers: ["X-Custom": "ä 1", "User-Agent": "me"]))
        #expect(try await text(response).hasPrefix("a= c= x=ä 1 m=POST t= u=me e="))
    }

    @Test func redirectsKeepSecretsAtTheirOrigin() async throws {
        let headers: HTTPHeaders = ["Authorization": "Bearer s", "Cookie": "c=1", "X-Custom": "k"]
        let same = try await transport.send(HTTPRequest(.post, server.plain("/redirect"), headers: headers))
        #expect(same.url.path() == "/echo")
        #expect(try await text(same).hasPrefix("a=Bearer s c=c=1 x=k m=GET"))
        let other = try await transport.send(HTTPRequest(.get, server.plain("/elsewhere"), headers: headers))
        #expect(other.url.port == server.otherPort)
        #expect(try await text(other).hasPrefix("a= c= x=k m=GET"))
        let put = try await transport.send(
            HTTPRequest(.put, server.plain("/redirect307"), body: .text("moved")))
        #expect([201, 204].contains(put.status))
        #expect(try String(contentsOfFile: server.folder.file("www/put/moved"), encoding: .utf8) == "moved")
        await expectError(.redirect) { _ = try await transport.send(HTTPRequest(.get, server.plain("/loop"))) }
        await expectError(.redirect) { _ = try await transport.send(HTTPRequest(.get, server.secure("/downgrade"))) }
        var request = try HTTPRequest(.get, server.plain("/loop"))
        request.redirects = .stop
        #expect(try await transport.send(request).status == 302)
    }

    @Test func refusesPlainHTTPUnlessItIsAllowed() async throws {
        var configuration = server.configuration
        configuration.plainHTTPHosts = []
        let strict = try CurlTransport(configuration: configuration)
        await expectError(.insecure) { _ = try await strict.send(HTTPRequest(.get, server.plain("/hello"))) }
    }

    @Test func `this machine may be asked in plain http, others not`() async throws {
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let transport = try CurlTransport(configuration: configuration)
        #expect(try await transport.send(HTTPRequest(.get, server.plain("/hello"))).status == 200)
        let other = try #require(URL(string: "http://127.0.0.1.example.org/"))
        await expectError(.insecure) { _ = try await transport.send(HTTPRequest(.get, other)) }
    }

    @Test func checksCertificatesAndPins() async throws {
        for name in ["wrongname", "expired", "selfsigned"] {
            await expectError(.certificate) {
                _ = try await transport.send(HTTPRequest(.get, server.secure("/hello", certificate: name)))
            }
        }
        let good = try #require(PublicKeyPin(base64: server.certificates.pins["good"] ?? ""))
        let bad = try #require(PublicKeyPin(base64: server.certificates.pins["wrongname"] ?? ""))
        var configuration = server.configuration
        configuration.pins = ["127.0.0.1": [bad, good]]
        let pinned = try CurlTransport(configuration: configuration)
        #expect(try await pinned.send(HTTPRequest(.get, server.secure("/hello"))).status == 200)
        configuration.pins = ["127.0.0.1": [bad]]
        let wrong = try CurlTransport(configuration: configuration)
        await expectError(.pin) { _ = try await wrong.send(HTTPRequest(.get, server.secure("/hello"))) }
        #expect(PublicKeyPin(base64: "AAAA") == nil)
    }

    @Test func limitsTheResponse() async throws {
        var request = try HTTPRequest(.get, server.plain("/text.txt"))
        request.maximumResponseBytes = 50_000
        await expectError(.responseTooLarge) { [request] in
            _ = try await transport.send(request).body.collect()
        }
        request.maximumResponseBytes = 105_000
        #expect(try await transport.send(request).body.collect().count == 105_000)
    }

    @Test func aClosedTransportSaysSo() async throws {
        let transport = try CurlTransport(configuration: server.configuration)
        let response = try await transport.send(
            HTTPRequest(.get, server.plain("/slow/long"), headers: ["Accept-Encoding": "identity"]))
        await transport.close()
        await expectError(.closed) { _ = try await response.body.collect() }
        await expectError(.closed) { _ = try await transport.send(HTTPRequest(.get, server.plain("/hello"))) }
    }

    @Test func aResponseOutlivesItsTransport() async throws {
        let response = try await CurlTransport(configuration: server.configuration).send(
            HTTPRequest(.get, server.secure("/text.txt")))
        #expect(try await response.body.collect().count == 105_000)
    }
}
