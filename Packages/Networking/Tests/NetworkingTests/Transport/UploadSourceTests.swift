// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Networking

@Suite(.timeLimit(.minutes(5))) struct UploadSourceTests {
    @Test func `a body that is cancelled has no end`() async throws {
        let body = HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() })
        let source = try #require(try UploadSource(.stream(body)))
        let supply = Task { try await source.supply([1, 2], wake: {}) }
        func read() -> Int? {
            withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
                switch source.read(into: buffer) {
                case .bytes(let count): count
                case .wait: 0
                case .failure: nil
                }
            }
        }
        try await eventually("the piece is there") { read() == 1 }
        supply.cancel()
        await #expect(throws: CancellationError.self) { try await supply.value }
        #expect(read() == nil)
    }
}
