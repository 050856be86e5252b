// SPDX-License-Identifier: MIT

import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(1))) struct ByteStreamUserTests {
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
}
