// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Networking

struct ChunkQueueTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func everyByteComesOutOnceAndInOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = ChunkQueue()
        var (expected, taken): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<60 {
            if Bool.random(using: &random) {
                let size = Int.random(in: 0...(Bool.random(using: &random) ? 1_000 : 700_000), using: &random)
                var bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ expected.count) }
                expected += bytes
                queue.take(&bytes)
                #expect(bytes.isEmpty)
            } else if let chunk = queue.next() {
                #expect(!chunk.isEmpty && chunk.count <= ChunkQueue.maximumChunk, "seed \(seed)")
                taken += chunk
            }
            #expect(queue.count == expected.count - taken.count, "seed \(seed)")
            #expect(queue.isEmpty == (taken.count == expected.count), "seed \(seed)")
        }
        while let chunk = queue.next() { taken += chunk }
        #expect(taken == expected, "seed \(seed)")
    }
}
