// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@Suite("The WebSocket handshake")
struct WebSocketHandshakeTests {
    private let sample = WebSocketHandshake(key: "dGhlIHNhbXBsZSBub25jZQ==", subprotocols: ["chat", "superchat"])

    private func answer(_ lines: [String]) -> [UInt8] {
        Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    private func read(_ bytes: [UInt8]) throws -> (response: WebSocketHandshakeResponse, rest: [UInt8])? {
        var reader = WebSocketHandshakeReader()
        return try reader.read(bytes)
    }

    private let good = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "Sec-WebSocket-Protocol: chat",
    ]

    @Test func `the standard's sample`() throws {
        #expect(try sample.acceptValue() == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let read = try #require(try read(answer(good) + [0x81, 0]))
        #expect(try sample.validate(read.response) == "chat")
        #expect(read.rest == [0x81, 0])
    }

    @Test func `both ends agree`() throws {
        var random = SeededGenerator(seed: 13)
        let client = WebSocketHandshake(subprotocols: ["a", "b"], random: &random)
        let headers = client.requestHeaders
        #expect(headers["Sec-WebSocket-Version"] == "13")
        #expect(headers["Sec-WebSocket-Protocol"] == "a, b")
        let server = WebSocketHandshake(key: try #require(headers["Sec-WebSocket-Key"]), subprotocols: ["a", "b"])
        let response = WebSocketHandshakeResponse(status: 101, headers: try server.responseHeaders(subprotocol: "b"))
        #expect(try client.validate(response) == "b")
    }

    @Test func `the head may be cut anywhere`() throws {
        let bytes = answer(good) + [1, 2, 3]
        for cut in 0...bytes.count {
            var reader = WebSocketHandshakeReader()
            let first = try reader.read(Array(bytes[..<cut]))
            let result =
                try first.map { ($0.response, $0.rest + bytes[cut...]) }
                ?? reader.read(Array(bytes[cut...])).map { ($0.response, $0.rest) }
            #expect(result?.1 == [1, 2, 3])
            #expect(result?.0.status == 101)
        }
        var reader = WebSocketHandshakeReader()
        let results = try bytes.dropLast(3).map { try reader.read([$0]) }
        #expect(results.compactMap { $0 }.count == 1)
    }

    @Test(arguments: [
        (0, "HTTP/1.1 200 OK"), (0, "HTTP/1.1 401 Unauthorized"), (1, "Upgrade: h2c"), (1, "X: y"),
        (1, "Upgrade: websocket, h2c"), (2, "Connection: close"), (2, "X: y"), (3, "X: y"),
        (3, "Sec-WebSocket-Accept: AAAALMBiTxaQ9kYGzzhZRbK+xOo="),
        (3, "Sec-WebSocket-Accept: S3PPLMBITXAQ9KYGZZHZRBK+XOO="),
        (4, "Sec-WebSocket-Protocol: other"), (4, "Sec-WebSocket-Protocol: chat, superchat"),
        (4, "Sec-WebSocket-Extensions: permessage-deflate"), (4, "Sec-WebSocket-Protocol: Chat"),
    ])
    func `another answer is refused`(line: Int, text: String) throws {
        var lines = good
        lines[line] = text
        let read = try #require(try read(answer(lines)))
        let error = #expect(throws: NetworkError.self) { try sample.validate(read.response) }
        #expect(error?.code == .webSocketHandshake)
        #expect((error?.underlying as? WebSocketHandshakeResponse)?.status == read.response.status)
    }

    @Test func `case and order are free where the standard says so`() throws {
        let lines = [
            "HTTP/1.1 101", "sec-websocket-accept:s3pPLMBiTxaQ9kYGzzhZRbK+xOo= \t", "CONNECTION: keep-alive, UPGRADE",
            "upgrade: WebSocket", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "X-\u{7E}: \u{E9}",
        ]
        let read = try #require(try read(answer(lines)))
        #expect(try sample.validate(read.response) == nil)
    }

    @Test(arguments: [
        ["HTTP/1.0 101 X"], ["HTTP/2 101"], ["HTTP/1.1 99 X"], ["HTTP/1.1 1010 X"], ["SSH-2.0-x"], [""],
        ["HTTP/1.1 101 X", "no field"], ["HTTP/1.1 101 X", ": x"], ["HTTP/1.1 101 X", "a b: x"],
        ["HTTP/1.1 101 X", "a: x", " folded"], ["HTTP/1.1 101 X", "a: x\u{0}"], ["HTTP/1.1 101 X", "a: x\ny: z"],
        ["HTTP/1.1 101 X", "a: x\ry: z"], ["HTTP/1.1 101 X", "a : x"],
    ])
    func `what is not HTTP is refused`(lines: [String]) {
        #expect(throws: NetworkError.self) { try read(answer(lines)) }
    }

    @Test func `an endless head is refused`() throws {
        var reader = WebSocketHandshakeReader()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<16 { #expect(try reader.read(piece) == nil) }
        #expect(throws: NetworkError.self) { try reader.read(piece) }
    }
}
