// SPDX-License-Identifier: MIT

import Synchronization
import TestKit
import Testing

@testable import Networking

@Suite("The reconnecting WebSocket")
struct ReconnectingWebSocketTests {
    /// A server that accepts as many connections as the client opens.
    private final class Server: Sendable {
        let ends = Mutex<[MemoryByteStream]>([])
        let clientEnds = Mutex<[MemoryByteStream]>([])
        let failures = Mutex<[NetworkError]>([])
        let clock = ManualClock()

        func connect() async throws -> WebSocketConnection {
            if let failure = failures.withLock({ $0.popLast() }) { throw failure }
            let (near, far) = MemoryByteStream.pair()
            ends.withLock { $0.append(far) }
            clientEnds.withLock { $0.append(near) }
            var configuration = WebSocketConfiguration()
            configuration.pingInterval = nil
            let connection = WebSocketConnection(
                stream: near, role: .client, configuration: configuration, clock: clock)
            await connection.start()
            return connection
        }

        var last: MemoryByteStream? { ends.withLock { $0.last } }

        /// What the client sends next on the latest connection.
        func received() async throws -> [WebSocketFrameDecoder.Event] {
            var decoder = WebSocketFrameDecoder(role: .server)
            return try decoder.decode(try await last?.read() ?? [])
        }

        func socket(
            _ change: (inout ReconnectingWebSocket.Configuration) -> Void = { _ in }
        ) -> ReconnectingWebSocket {
            var configuration = ReconnectingWebSocket.Configuration()
            change(&configuration)
            return ReconnectingWebSocket(
                configuration: configuration, clock: clock, random: SeededGenerator(seed: 7),
                connect: { try await self.connect() }, restore: { try await $0.send("restore") })
        }
    }

    private func text(_ event: ReconnectingWebSocket.Event?) -> String {
        switch event {
        case .connected(let number): "connected \(number)"
        case .message(.text(let text)): text
        case .message(.binary): "binary"
        case .disconnected(let closure, _): "disconnected \(closure.code)"
        case nil: "end"
        }
    }

    @Test func `it comes back, restores and goes on`() async throws {
        let server = Server()
        let socket = server.socket()
        var events = socket.events.makeAsyncIterator()
        #expect(text(try await events.next()) == "connected 1")
        #expect(try await server.received() == [.message(.text("restore"))])
        try await socket.send(.text("one"))
        #expect(try await server.received() == [.message(.text("one"))])
        server.last?.finish()
        #expect(text(try await events.next()) == "disconnected 1006")

        // Sent while there is no connection: it waits for the next, and follows the restoring.
        let sender = Task { try await socket.send(.text("two")) }
        let next = Task { try await socket.next() }
        await server.clock.waitForSleepers()
        server.clock.advance(by: .milliseconds(500))
        #expect(text(try await next.value) == "connected 2")
        try await sender.value
        #expect(try await server.received() == [.message(.text("restore"))])
        #expect(try await server.received() == [.message(.text("two"))])
        try await server.last?.write([0x81, 1, 0x61])
        #expect(text(try await events.next()) == "a")
    }

    @Test(
        arguments: [
            (1000, false), (1001, true), (1002, false), (1003, false), (1008, false), (1009, false), (1011, true),
            (1012, true), (1013, true), (1014, false), (4000, false),
        ] as [(UInt16, Bool)])
    func `which closes are worth a new connection`(code: UInt16, comesBack: Bool) async throws {
        let server = Server()
        var events = server.socket().events.makeAsyncIterator()
        _ = try await events.next()
        try await server.last?.write([0x88, 2, UInt8(code >> 8), UInt8(code & 0xFF)])
        server.last?.finish()
        #expect(text(try await events.next()) == (comesBack ? "disconnected \(code)" : "end"))
    }

    @Test func `a close without a code is worth one, a violation is not`() async throws {
        let server = Server()
        var events = server.socket().events.makeAsyncIterator()
        _ = try await events.next()
        try await server.last?.write([0x88, 0])
        server.last?.finish()
        #expect(text(try await events.next()) == "disconnected 1005")
        let other = Server()
        var others = other.socket().events.makeAsyncIterator()
        _ = try await others.next()
        try await other.last?.write([0xFF, 0])
        other.last?.finish()
        await expectError(.webSocketProtocol) { _ = try await others.next() }
        #expect(text(try await others.next()) == "end")
    }

    @Test func `failed attempts wait by full jitter and end at the limit`() async throws {
        let server = Server()
        let lost = NetworkError(code: .connect, message: "")
        server.failures.withLock { $0 = Array(repeating: lost, count: 20) }
        let socket = server.socket { $0.maximumAttempts = 10 }
        var delays: [Duration] = []
        do {
            while true {
                let next = Task { try await socket.next() }
                if !delays.isEmpty {
                    await server.clock.waitForSleepers()
                    server.clock.advance(by: .seconds(60))
                }
                guard case .disconnected(_, let delay)? = try await next.value else { break }
                delays.append(delay)
            }
        } catch let error as NetworkError {
            #expect(error.code == .connect)
        }
        #expect(delays.count == 10)
        for (index, delay) in delays.enumerated() {
            #expect(delay >= .zero && delay <= min(.milliseconds(500 << index), .seconds(30)))
        }
        #expect(Set(delays).count == 10)
    }

    @Test(
        arguments: [
            (NetworkError.Code.certificate, nil), (.pin, nil), (.insecure, nil), (.webSocketHandshake, 401),
            (.webSocketHandshake, 404), (.webSocketHandshake, 101),
        ] as [(NetworkError.Code, Int?)])
    func `what would fail again is told at once`(code: NetworkError.Code, status: Int?) async throws {
        let server = Server()
        server.failures.withLock { $0 = [NetworkError(code: code, message: "", status: status)] }
        var events = server.socket().events.makeAsyncIterator()
        await expectError(code) { _ = try await events.next() }
    }

    @Test func `closing ends the wait, the senders and the events`() async throws {
        let server = Server()
        server.failures.withLock { $0 = [NetworkError(code: .connect, message: "")] }
        let socket = server.socket()
        var events = socket.events.makeAsyncIterator()
        #expect(text(try await events.next()) == "disconnected 1006")
        let sender = Task { try await socket.send(.text("never")) }
        let next = Task { try await socket.next() }
        await server.clock.waitForSleepers()
        await socket.close()
        #expect(text(try await next.value) == "end")
        await expectError(.closed) { try await sender.value }
        await expectError(.closed) { try await socket.send(.text("late")) }
    }

    @Test func `a send that waits for a connection can be cancelled`() async throws {
        let server = Server()
        let socket = server.socket()
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await socket.send(.text("never"))
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        // Cancelled before it waits or while it does: the outcome is the same.
        let late = Task { try await socket.send(.text("never")) }
        await disturbOrder(10)
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        var events = socket.events.makeAsyncIterator()
        #expect(text(try await events.next()) == "connected 1")
        #expect(try await server.received() == [.message(.text("restore"))])
        try await socket.send(.text("first"))
        #expect(try await server.received() == [.message(.text("first"))])
    }

    @Test(.timeLimit(.minutes(2)), arguments: [true, false])
    func `closing cuts an attempt short, whether it connects or restores`(isRestoring: Bool) async throws {
        let clock = ManualClock()
        let (near, far) = MemoryByteStream.pair()
        let connection = WebSocketConnection(stream: near, role: .client, clock: ManualClock())
        let socket = ReconnectingWebSocket(
            clock: clock,
            connect: {
                if !isRestoring { try await clock.sleep(for: .seconds(1)) }
                await connection.start()
                return connection
            }, restore: { _ in try await clock.sleep(for: .seconds(1)) })
        let next = Task { try await socket.next() }
        await clock.waitForSleepers()
        await socket.close()
        #expect(text(try await next.value) == "end")
        #expect(clock.remaining.isEmpty)
        guard isRestoring else { return }
        // The connection that nobody will get is closed with the attempt.
        var decoder = WebSocketFrameDecoder(role: .server)
        #expect(try decoder.decode(try await far.read()) == [.close(.goingAway, reason: "")])
    }

    @Test func `a message that was being sent is not sent again`() async throws {
        let server = Server()
        let socket = server.socket()
        var events = socket.events.makeAsyncIterator()
        _ = try await events.next()
        _ = try await server.received()
        let near = try #require(server.clientEnds.withLock { $0.last })
        near.holdWrites()
        let sender = Task { try await socket.send(.binary([UInt8](repeating: 1, count: 300_000))) }
        await near.waitForHeldWrite()
        server.last?.finish()
        await expectError(.deliveryUnknown) { try await sender.value }
        #expect(text(try await events.next()) == "disconnected 1006")
        let next = Task { try await socket.next() }
        await server.clock.waitForSleepers()
        server.clock.advance(by: .seconds(1))
        #expect(text(try await next.value) == "connected 2")
        #expect(try await server.received() == [.message(.text("restore"))])
        try await socket.send(.text("next"))
        #expect(try await server.received() == [.message(.text("next"))])
    }
}
