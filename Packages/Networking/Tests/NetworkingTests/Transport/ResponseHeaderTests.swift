// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Testing

/// Uncommon headers, over the wire.
struct ResponseHeaderTests {
    private func send(
        _ answer: String, _ method: HTTPMethod = .get, body: HTTPBody = .none, fault: Fault? = nil,
        timeouts: HTTPTimeouts = HTTPTimeouts(connect: nil, firstByte: nil, idle: nil)
    ) async throws -> (response: HTTPResponse, text: String) {
        let proxy = try FaultProxy(upstream: .response(Array(answer.utf8)), fault: fault)
        defer { proxy.close() }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        configuration.timeouts = timeouts
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
        let response = try await transport.send(HTTPRequest(method, url, body: body))
        return (response, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    private static let interim =
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
        + "HTTP/1.1 103 Early Hints\r\nLink: </script.js>\r\nContent-Length: 7\r\n\r\n"
    private static let final = "HTTP/1.1 201 Created\r\nContent-Length: 2\r\nA: b\r\n\r\nhi"

    @Test func interimResponsesLeaveNothingInTheFinalOne() async throws {
        for (method, body) in [(HTTPMethod.get, HTTPBody.none), (.put, .text("abc")), (.post, .bytes([1]))] {
            let (response, text) = try await send(Self.interim + Self.final, method, body: body)
            #expect(response.status == 201)
            #expect(response.headers == ["Content-Length": "2", "A": "b"])
            #expect(text == "hi")
            #expect(response.body.summary.trailers.isEmpty)
        }
    }

    @Test func interimResponsesDoNotEndTheWaitForTheFirstByte() async throws {
        await expectError(.firstByteTimeout) {
            _ = try await send(
                Self.interim + Self.final, fault: Fault(.stall, .afterBytes(Self.interim.utf8.count)),
                timeouts: HTTPTimeouts(connect: nil, firstByte: .milliseconds(200), idle: .seconds(50)))
        }
    }

    @Test func interimResponsesWithoutEndAreAnError() async throws {
        await expectError(.headerTooLarge) {
            _ = try await send(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 12_000) + Self.final)
        }
    }

    @Test func anUnaskedChangeOfProtocolIsAnError() async throws {
        await expectError(.invalidResponse) {
            _ = try await send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello")
        }
    }

    @Test func foldedAndRepeatedFieldsArriveWhole() async throws {
        let (response, text) = try await send(
            "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nFolded: one\r\n two\r\n\tthree\r\nSet-Cookie: b=2\r\n"
                + "Content-Length: 2\r\nset-cookie: a=3, c\r\n\r\nhi")
        #expect(response.headers.values(for: "Set-Cookie") == ["a=1; Path=/", "b=2", "a=3, c"])
        #expect(response.headers["Folded"] == "one two three")
        #expect(text == "hi")
    }

    @Test func aHeaderOfManyFieldsHasALimit() async throws {
        func answer(_ fields: Int) -> String {
            let lines = (0..<fields).map { "X-\($0): \(String(repeating: "v", count: 1_000))\r\n" }.joined()
            return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(lines)\r\n"
        }
        #expect(try await send(answer(200)).response.headers.count == 201)
        await expectError(.headerTooLarge) { _ = try await send(answer(300)) }
        await expectError(.headerTooLarge) { _ = try await send(answer(1_000)) }
    }

    @Test func aLongFieldHasALimit() async throws {
        func answer(_ length: Int) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: \(String(repeating: "v", count: length))\r\n\r\n"
        }
        #expect(try await send(answer(90_000)).response.headers["X"]?.count == 90_000)
        await expectError(.headerTooLarge) { _ = try await send(answer(300_000)) }
    }

    @Test(arguments: ["A: b\0c", "A\0: b", ": b", "none"]) func aBrokenFieldIsAnError(line: String) async throws {
        await expectError(.invalidResponse) {
            _ = try await send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n")
        }
    }
}
