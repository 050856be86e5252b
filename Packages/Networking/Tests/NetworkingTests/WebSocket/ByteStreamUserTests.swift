// SPDX-License-Identifier: MIT

import Concurrency
import Dispatch
import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct ByteStreamUserTests {
    /// Of two users at a time the second gets an error at once, and the first goes on until the stream ends.
    private func expectOneUser(
        _ buffers: CurlByteStreamBuffers, _ use: @escaping @Sendable () async throws -> Void
    ) async {
        let (codes, results) = AsyncStream<NetworkError.Code?>.makeStream()
        for _ in 0..<2 {
            Task {
                do { try await use() } catch { results.yield((error as? NetworkError)?.code) }
            }
        }
        var ends = codes.makeAsyncIterator()
        #expect(await ends.next() == .invalidRequest)
        buffers.end(with: NetworkError(code: .closed, message: "The test is over."))
        #expect(await ends.next() == .closed)
    }

    @Test func `a second reader gets an error`() async {
        let buffers = CurlByteStreamBuffers()
        await expectOneUser(buffers) {
            _ = try await withCheckedThrowingContinuation { _ = buffers.read($0) }
        }
    }

    @Test func `a second writer gets an error`() async {
        let buffers = CurlByteStreamBuffers()
        await expectOneUser(buffers) {
            try await withCheckedThrowingContinuation { _ = buffers.write([1], $0) }
        }
    }

    @Test func `no cancelled connection stays open`() async throws {
        let listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.address else { return }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let transport = try CurlTransport(configuration: .init())
        var open: [Int32] = []
        defer { for connection in open { close(connection) } }
        func closeEnded() throws {
            while let connection = try listener.accept() { open.append(connection) }
            open.removeAll { connection in
                var byte: UInt8 = 0
                let isOpen = recv(connection, &byte, 1, 0) < 0 && errno == EAGAIN
                if !isOpen { close(connection) }
                return !isOpen
            }
        }
        let route = try transport.proxies.route(for: url)
        for number in 0..<3_000 {
            let isMade = DispatchSemaphore(value: 0)
            let opening = Task {
                try await CurlByteStream.open { handler in
                    defer { isMade.signal() }
                    return CurlConnectOnly(
                        url: url, configuration: transport.configuration, route: route, connectTimeout: nil,
                        loop: transport.loop, handler: handler)
                }
            }
            await BlockingCall.run {
                isMade.wait()
                // A different moment each time.
                for _ in 0..<number % 200 { _ = MonotonicTime.now }
                opening.cancel()
            }
            (try? await opening.value)?.close()
            // A process may have 1,024 files.
            if number % 64 == 0 { try closeEnded() }
        }
        try await eventually("all connections end") {
            try closeEnded()
            return open.isEmpty
        }
        withExtendedLifetime(transport) {}
    }

    @Test func `a handshake that ends with its time limit leaves nothing open`() async throws {
        let request = WebSocketRequest(try #require(URL(string: "ws://127.0.0.1/")))
        for _ in 0..<300 {
            let clock = ManualClock()
            let stream = AcceptingStream {
                await clock.waitForSleepers()
                clock.advance(by: WebSocketConfiguration().handshakeTimeout)
            }
            if (try? await WebSocketConnection.open(request, over: stream, clock: clock)) != nil { stream.close() }
            try await stream.closed.value()
        }
    }

    @Test func `what the peer said before it hung up is read after a write has failed`() async throws {
        let listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.address else { return }
        let transport = try CurlTransport(configuration: .init())
        let stream = try await transport.connect(to: try #require(URL(string: "http://127.0.0.1:\(port)")))
        defer { stream.close() }
        let accepted = Guarded<Int32?>(nil)
        try await eventually("the connection is accepted") {
            let connection = try listener.accept()
            accepted.withLock { $0 = connection }
            return connection != nil
        }
        let peer = try #require(accepted.withLock { $0 })
        try await stream.write([1])
        // The loop is busy while the peer speaks and hangs up, so that it writes before it reads.
        let isReset = DispatchSemaphore(value: 0)
        #expect(transport.loop.submit(.run { isReset.wait() }))
        #expect(Glibc.send(peer, "bye", 3, Int32(MSG_NOSIGNAL)) == 3)
        try await eventually("the client's system has the words") {
            var waiting: Int32 = 0
            return ioctl(peer, UInt(TIOCOUTQ), &waiting) == 0 && waiting == 0
        }
        async let write: Void = stream.write([2])
        // It has not read the byte: the client gets a reset.
        close(peer)
        isReset.signal()
        // Sent before or after the reset.
        _ = try? await write
        #expect(try await stream.read() == Array("bye".utf8))
        let error = await #expect(throws: NetworkError.self) {
            while true { try await stream.write([2]) }
        }
        #expect(error?.code == .connectionLost)
    }
}

/// The client's end of a connection whose server accepts the WebSocket.
private final class AcceptingStream: ByteStream, ByteStreamConnector {
    let closed = Promise<Void>()
    private let beforeAnswer: @Sendable () async -> Void
    private let answer = Guarded<[UInt8]?>(nil)

    init(beforeAnswer: @escaping @Sendable () async -> Void) { self.beforeAnswer = beforeAnswer }

    func connect(to url: URL) async throws -> any ByteStream { self }

    func write(_ bytes: [UInt8]) async throws {
        let key = String(decoding: bytes, as: UTF8.self).firstMatch(of: /Sec-WebSocket-Key: (\S+)/)?.1
        guard let key else { return }
        let headers = try WebSocketHandshake(key: String(key), subprotocols: []).responseHeaders()
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        answer.withLock { $0 = Array("HTTP/1.1 101 Switching Protocols\r\n\(lines)\r\n".utf8) }
    }

    func read() async throws -> [UInt8] {
        if let answer = answer.withLock({ $0.take() }) {
            await beforeAnswer()
            return answer
        }
        try await closed.value()
        throw NetworkError(code: .closed, message: "closed")
    }

    func close() { closed.resolve() }
}
