// SPDX-License-Identifier: MIT

import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct WebSocketTests {
    private static let handshake =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"

    private let echo: HTTPHandler = { request in
        try .webSocket(for: request, subprotocols: ["v2", "v1"]) { connection in
            do {
                for try await message in connection.messages { try await connection.send(message) }
            } catch {
                // The client broke the protocol, or has gone.
            }
        }
    }

    private func open(_ server: TestServer, subprotocols: [String] = []) async throws -> WebSocketConnection {
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/ws"))
        return try await WebSocketConnection.open(
            WebSocketRequest(url, subprotocols: subprotocols), over: try server.transport())
    }

    @Test func echoesMessagesOfAllSizes() async throws {
        try await withServer(handler: echo) { server in
            let client = try await open(server, subprotocols: ["v1", "v0"])
            #expect(client.subprotocol == "v1")
            for size in [0, 1, 125, 126, 65_535, 65_536, 3 << 20] {
                let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
                try await client.send(bytes)
                #expect(try await client.receive() == .binary(bytes))
            }
            try await client.send("grüße")
            #expect(try await client.receive() == .text("grüße"))
            await client.close(.normal)
            #expect(await client.closure?.isClean == true)
            try await eventually { server.server.metrics.openConnections == 0 }
            #expect(server.server.metrics.requestsInFlight == 0)
        }
    }

    @Test(.timeLimit(.minutes(5))) func worksOverTLS() async throws {
        let certificate = try await TestCertificate.make()
        var configuration = HTTPServerConfiguration.patient
        configuration.tls = .init(certificateChain: certificate.chain, privateKey: certificate.key)
        try await withServer(configuration, handler: echo) { server in
            var client = CurlTransport.Configuration()
            client.certificateAuthorityFile = certificate.chainFile
            client.proxy = .none
            let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)/ws"))
            // The server has to end TCP (RFC 6455 §7.1.1): the client would wait for ever.
            var patient = WebSocketConfiguration()
            patient.closeTimeout = .seconds(3600)
            let transport = try CurlTransport(configuration: client)
            // Often, because the close comes from one thread and is seen by another.
            for _ in 0..<20 {
                let connection = try await WebSocketConnection.open(
                    WebSocketRequest(url), over: transport, configuration: patient)
                for size in [1, 20_000] {
                    let bytes = [UInt8](repeating: 7, count: size)
                    try await connection.send(bytes)
                    #expect(try await connection.receive() == .binary(bytes))
                }
                await connection.close(.normal)
                #expect(await connection.closure?.isClean == true)
            }
            try await eventually { server.server.metrics.openConnections == 0 }
        }
    }

    @Test func theHandshakeIsTheStandardsOwn() async throws {
        try await withServer(handler: echo) { server in
            let client = try server.connect()
            // A masked "Hello" comes with the head; the answer's nonce is the one of RFC 6455 §1.3.
            try client.send(
                Array((Self.handshake + "\r\n").utf8) + [
                    0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58,
                ])
            let answer = try await client.readAnswer()
            #expect(answer.status == 101)
            #expect(answer.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(answer.headers["Upgrade"]?.lowercased() == "websocket")
            #expect(answer.headers["Connection"]?.lowercased() == "upgrade")
            #expect(!answer.headers.contains(name: "Sec-WebSocket-Protocol"))
            _ = try await client.read(until: "Hello")
        }
    }

    @Test(arguments: [
        ("Upgrade: websocket", "", 426), ("Connection: keep-alive, Upgrade", "Connection: close", 426),
        ("Version: 13", "Version: 8", 426), ("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ=", 400),
        ("GET", "POST", 400), ("Host: x", "Host: x\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", 400),
    ])
    func otherRequestsAreRefused(_ part: String, replacement: String, status: Int) async throws {
        try await withServer(handler: echo) { server in
            let request = Self.handshake.replacingOccurrences(of: part, with: replacement)
                .replacingOccurrences(of: "\r\n\r\n", with: "\r\n")
            let answer = try await server.answer(to: request + "\r\n")
            #expect(answer.status == status)
            if status == 426 { #expect(answer.headers["Sec-WebSocket-Version"] == "13") }
        }
    }

    @Test func anUnmaskedFrameEndsTheConnection() async throws {
        try await withServer(handler: echo) { server in
            let client = try server.connect()
            try client.send(Self.handshake + "\r\n")
            #expect(try await client.readAnswer().status == 101)
            try client.send([0x81, 0x02, 0x68, 0x69])
            // A close frame with 1002.
            #expect(try await client.readToEnd().starts(with: [0x88]))
            try await eventually { server.server.metrics.openConnections == 0 }
        }
    }

    @Test func messagesOverTheLimitEndTheConnection() async throws {
        try await withServer(
            handler: { request in
                var configuration = WebSocketConfiguration()
                configuration.maximumMessageSize = 1_000
                return try .webSocket(for: request, configuration: configuration) { connection in
                    _ = try? await connection.receive()
                }
            },
            body: { server in
                let client = try await open(server)
                // The server closes once it has read the length, which may be before all is sent.
                try? await client.send([UInt8](repeating: 0, count: 1_001))
                _ = try await client.receive()
                #expect(await client.closure?.code == .messageTooBig)
            })
    }

    @Test func aServerThatDoesNotReadHoldsTheClientBack() async throws {
        let (begun, release, sent) = (Signal(), Signal(), Signal())
        try await withServer(
            handler: { request in
                try .webSocket(for: request) { connection in
                    await begun.fire()
                    await release.wait()
                    var count = 0
                    do {
                        for try await message in connection.messages { count += message.byteCount }
                    } catch {
                        Issue.record(error)
                    }
                    #expect(count == 64 << 20)
                }
            },
            body: { server in
                let client = try await open(server)
                await begun.wait()
                async let sending: Void = {
                    for _ in 0..<64 { try await client.send([UInt8](repeating: 1, count: 1 << 20)) }
                    await sent.fire()
                }()
                // The server answers others meanwhile, and the rest does not fit into the sockets.
                for _ in 0..<50 { _ = try await server.answer(to: "GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
                #expect(await !sent.hasFired)
                await release.fire()
                try await sending
                await client.close()
            })
    }

    @Test func aClientThatGoesAwayIsNoticed() async throws {
        let ended = Signal()
        try await withServer(
            handler: { request in
                try .webSocket(for: request) { connection in
                    // One that goes right after the handshake cancels the task, as with any request.
                    await #expect(throws: (any Error).self) { try await connection.receive() }
                    await ended.fire()
                }
            },
            body: { server in
                let client = try server.connect()
                try client.send(Self.handshake + "\r\n")
                #expect(try await client.readAnswer().status == 101)
                client.hangUp()
                await ended.wait()
                try await eventually { server.server.metrics.openConnections == 0 }
            })
    }

    @Test func stoppingSaysGoodbye() async throws {
        let begun = Signal()
        let server = HTTPServer { request in
            if request.path == ["events"] {
                return .events { _ in
                    await begun.fire()
                    await untilCancelled()
                }
            }
            return try .webSocket(for: request) { connection in
                await begun.fire()
                while let message = try? await connection.receive() { try? await connection.send(message) }
            }
        }
        let test = TestServer(server: server, port: try await server.start().port)
        let client = try await open(test)
        let events = try test.connect()
        try events.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n")
        await begun.wait(for: 2)
        async let stopping: Void = server.stop(grace: .seconds(3600))
        #expect(try await client.receive() == nil)
        #expect(await client.closure?.code == .goingAway)
        // Events have no end of their own: they are ended in good order.
        #expect(String(decoding: try await events.readToEnd(), as: UTF8.self).hasSuffix("\r\n0\r\n\r\n"))
        await stopping
        #expect(server.metrics.openConnections == 0)
    }

    @Test func stoppingWithoutGraceCutsOff() async throws {
        for _ in 0..<10 {
            let begun = Signal()
            let server = HTTPServer { request in
                try .webSocket(for: request) { _ in
                    await begun.fire()
                    await untilCancelled()
                }
            }
            let port = try await server.start().port
            let clients = try (0..<3).map { _ in try RawClient(port: port) }
            for client in clients { try client.send(Self.handshake + "\r\n") }
            await begun.wait()
            await server.stop(grace: .zero)
            for client in clients { _ = try await client.readToEnd() }
            #expect(server.metrics.openConnections == 0)
        }
    }
}
