// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import TestKit
import Testing

/// Requests in all pieces, and requests with random damage.
@Suite(.timeLimit(.minutes(5))) struct DamagedRequestTests {
    private static let requests = [
        "GET /a/b?c=d%20e HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world",
        "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nT: u\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n\u{1}\u{2}",
    ]

    private let handler: HTTPHandler = { request in
        if request.path == ["ws"] { return try .webSocket(for: request) { _ = try? await $0.receive() } }
        return .text("\(request.path) \(String(decoding: try await request.body.collect(), as: UTF8.self))")
    }

    @Test(arguments: [1, 2]) func everySplitIsReadTheSame(request: Int) async throws {
        let bytes = Array(Self.requests[request].utf8)
        try await withServer(handler: handler) { server in
            for index in 1..<bytes.count {
                let client = try server.connect()
                try client.send(Array(bytes[..<index]))
                // Another answer comes between: the first piece has been read by then.
                if index % 8 == 0 { _ = try await server.answer(to: "GET / HTTP/1.0\r\n\r\n") }
                try client.send(Array(bytes[index...]))
                #expect(try await client.readAnswer().text == "[\"a\"] hello world", "split at \(index)")
            }
        }
    }

    @Test func randomDamageNeverStopsTheServer() async throws {
        let seed = UInt64.random(in: 1 ... .max)
        var random = SeededGenerator(seed: seed)
        try await withServer(handler: handler) { server in
            for round in 0..<120 {
                let request = damaged(&random)
                let client = try server.connect()
                try? client.send(request)
                client.finish()
                let answer = String(decoding: try await client.readToEnd(), as: UTF8.self)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1."), "seed \(seed), round \(round): \(answer)")
            }
            #expect(try await server.answer(to: Self.requests[1]).text == "[\"a\"] hello world", "seed \(seed)")
            try await eventually { server.server.metrics.requestsInFlight == 0 }
        }
    }

    private func damaged(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array((Self.requests.randomElement(using: &random) ?? "").utf8)
        if Bool.random(using: &random) {
            bytes += Array((Self.requests.randomElement(using: &random) ?? "").utf8)
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...8, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            default: bytes.insert([0, 10, 13, 32, 37, 58].randomElement(using: &random) ?? 0, at: start)
            }
            if bytes.isEmpty { bytes = [10] }
        }
        return bytes
    }
}
