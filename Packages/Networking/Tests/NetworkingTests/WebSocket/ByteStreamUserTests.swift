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
