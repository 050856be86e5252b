// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@Suite("WebSockets against the Python package websockets", .enabled(if: PythonPeer.isWanted, PythonPeer.skipped))
struct WebSocketPeerTests {
    private let transport: CurlTransport
    private let peer: PythonPeer

    init() throws {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        transport = try CurlTransport(configuration: configuration)
        peer = try PythonPeer("websocket_peer.py")
    }

    private func open(
        _ path: String, subprotocols: [String] = [], headers: HTTPHeaders = [:],
        _ change: (inout WebSocketConfiguration) -> Void = { _ in }
    ) async throws -> WebSocketConnection {
        var configuration = WebSocketConfiguration()
        configuration.maximumMessageSize = 64 << 20
        change(&configuration)
        let url = try #require(URL(string: "ws://127.0.0.1:\(peer.port)\(path)"))
        return try await WebSocketConnection.open(
            WebSocketRequest(url, headers: headers, subprotocols: subprotocols), over: transport,
            configuration: configuration)
    }

    @Test func `messages come back as they were sent`() async throws {
        let connection = try await open("/echo") { $0.fragmentSize = 5000 }
        for size in [0, 1, 125, 126, 65_535, 65_536, 300_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try await connection.send(bytes)
            #expect(try await connection.receive() == .binary(bytes))
            let text = String(repeating: "é€😀x", count: size / 10)
            try await connection.send(text)
            #expect(try await connection.receive() == .text(text))
        }
        await connection.close(.normal, reason: "bye")
        #expect(await connection.closure?.isClean == true)
        #expect(await connection.closure?.code == .normal)
    }

    @Test func `twenty megabytes there and back`() async throws {
        let connection = try await open("/echo")
        let text = String(repeating: "0123456789abcde\n", count: 20 << 16)
        try await connection.send(text)
        #expect(try await connection.receive() == .text(text))
        await connection.close()
    }

    @Test func `fragments with pings between`() async throws {
        let connection = try await open("/fragments?size=7")
        let text = String(repeating: "Grüße, 世界 🌍. ", count: 500)
        try await connection.send(text)
        #expect(try await connection.receive() == .text(text))
        await connection.close()
    }

    @Test(arguments: [(1000, ""), (1001, "going"), (1011, "é"), (4000, String(repeating: "r", count: 123))])
    func `the server's close arrives with its reason`(code: Int, reason: String) async throws {
        let query = reason.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let connection = try await open("/close?code=\(code)&reason=\(query)")
        #expect(try await connection.receive() == nil)
        let closure = try #require(await connection.closure)
        #expect(closure.isClean)
        #expect(closure.code.rawValue == UInt16(code))
        #expect(closure.reason == reason)
    }

    @Test func `a broken connection is 1006`() async throws {
        let connection = try await open("/abort")
        try await connection.send("x")
        await expectError(.connectionLost) { _ = try await connection.receive() }
        #expect(await connection.closure?.code == .abnormal)
    }

    @Test func `the subprotocol is agreed on`() async throws {
        let connection = try await open("/echo", subprotocols: ["chat.v1", "other"])
        #expect(connection.subprotocol == "chat.v1")
        await connection.close()
        let plain = try await open("/echo")
        #expect(plain.subprotocol == nil)
        await plain.close()
    }

    @Test func `own headers and the address reach the server`() async throws {
        let connection = try await open("/headers?q=%C3%A9#fragment", headers: ["Authorization": "Bearer abc"])
        guard case .text(let headers)? = try await connection.receive() else { throw CocoaError(.coderReadCorrupt) }
        #expect(headers.contains("('Authorization', 'Bearer abc')"))
        #expect(headers.contains("('Host', '127.0.0.1:\(peer.port)')"))
        #expect(!headers.contains("Extensions"))
        await connection.close()
    }

    @Test func `a slow consumer holds the server back and loses nothing`() async throws {
        let connection = try await open("/push?count=3000&size=10000") { $0.maximumInboxBytes = 100_000 }
        // The server prints the number of the first message that it cannot send.
        let held = try #require(await peer.line().flatMap { Int($0) })
        #expect(held < 2_999)
        var count = 0
        while case .text(let text)? = try await connection.receive() {
            #expect(text.hasPrefix("\(count) x"))
            count += 1
        }
        #expect(count == 3_000)
    }

    @Test func `no wake-up is missed in thousands of round trips`() async throws {
        let connection = try await open("/echo")
        let payload = [UInt8](repeating: 5, count: 256)
        for _ in 0..<5000 {
            try await connection.send(payload)
            _ = try await connection.receive()
        }
        await connection.close()
    }

    @Test func `many connections share the transport`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let connection = try await open("/echo")
                    for round in 0..<20 {
                        try await connection.send("\(number) \(round)")
                        #expect(try await connection.receive() == .text("\(number) \(round)"))
                    }
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `cancelling a wait leaves the connection whole`() async throws {
        let connection = try await open("/echo")
        let waiting = Task { try await connection.receive() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await connection.send("still there")
        #expect(try await connection.receive() == .text("still there"))
        await connection.close()
    }

    @Test func `what cannot be sent is refused before anything is`() async throws {
        await expectError(.invalidRequest) { _ = try await open("/echo", headers: ["X": "a\r\nY: b"]) }
        await expectError(.invalidRequest) { _ = try await open("/echo", headers: ["Sec-WebSocket-Key": "x"]) }
        await expectError(.invalidRequest) { _ = try await open("/echo", subprotocols: ["a b"]) }
        let other = try #require(URL(string: "ws://localhost:\(peer.port)/"))
        await expectError(.insecure) {
            _ = try await WebSocketConnection.open(WebSocketRequest(other), over: transport)
        }
        let http = try #require(URL(string: "http://127.0.0.1:\(peer.port)/"))
        await expectError(.invalidRequest) {
            _ = try await WebSocketConnection.open(WebSocketRequest(http), over: transport)
        }
    }
}

@Suite("WebSockets over TLS", .enabled(if: PythonPeer.isWanted, PythonPeer.skipped))
struct WebSocketTLSTests {
    private func open(
        _ certificates: TestCertificates, _ peer: PythonPeer, _ change: (inout CurlTransport.Configuration) -> Void
    ) async throws -> WebSocketConnection {
        var configuration = CurlTransport.Configuration()
        configuration.certificateAuthorityFile = certificates.authority
        configuration.proxy = .none
        change(&configuration)
        let url = try #require(URL(string: "wss://127.0.0.1:\(peer.port)/echo"))
        return try await WebSocketConnection.open(
            WebSocketRequest(url), over: CurlTransport(configuration: configuration))
    }

    private func peer(_ certificates: TestCertificates, _ name: String) throws -> PythonPeer {
        let folder = certificates.folder
        return try PythonPeer("websocket_peer.py", [folder.file("\(name).pem"), folder.file("\(name).key")])
    }

    @Test func `messages pass, also many that OpenSSL holds back`() async throws {
        let certificates = try TestCertificates()
        let server = try peer(certificates, "good")
        defer { withExtendedLifetime(server) {} }
        let connection = try await open(certificates, server) { _ in }
        for size in [1, 16_384, 16_385, 1_000_000] {
            let bytes = [UInt8](repeating: 3, count: size)
            try await connection.send(bytes)
            #expect(try await connection.receive() == .binary(bytes))
        }
        for number in 0..<500 { try await connection.send("\(number)") }
        for number in 0..<500 { #expect(try await connection.receive() == .text("\(number)")) }
        await connection.close()
        #expect(await connection.closure?.isClean == true)
    }

    @Test func `certificates and pins are checked`() async throws {
        let certificates = try TestCertificates()
        let good = try peer(certificates, "good")
        let right = try #require(PublicKeyPin(base64: certificates.pins["good"] ?? ""))
        let wrong = try #require(PublicKeyPin(base64: certificates.pins["wrongname"] ?? ""))
        try await open(certificates, good) { $0.pins = ["127.0.0.1": [wrong, right]] }.close()
        await expectError(.pin) { _ = try await open(certificates, good) { $0.pins = ["127.0.0.1": [wrong]] } }
        for name in ["wrongname", "expired", "selfsigned"] {
            let bad = try peer(certificates, name)
            await expectError(.certificate) { _ = try await open(certificates, bad) { _ in } }
        }
    }
}
