// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@Suite("WebSocket masking")
struct WebSocketMaskTests {
    /// RFC 6455 §5.3, word for word.
    private func scalar(_ mask: UInt32, _ bytes: [UInt8], offset: Int) -> [UInt8] {
        let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> ($0 * 8)) }
        return bytes.enumerated().map { $1 ^ key[(offset + $0) % 4] }
    }

    @Test func `the kernel agrees with the standard's formula at every length and offset`() {
        var random = SeededGenerator(seed: 53)
        for length in 0...130 {
            for offset in 0...7 {
                let bytes = (0..<length + 3).map { _ in UInt8.random(in: 0...255, using: &random) }
                let mask = UInt32.random(in: 0...UInt32.max, using: &random)
                // At different alignments too.
                for start in 0...3 {
                    var masked = bytes
                    masked.withUnsafeMutableBytes {
                        let part = UnsafeMutableRawBufferPointer(rebasing: $0[start..<start + length])
                        WebSocketMask.apply(mask, to: part, offset: offset)
                    }
                    let middle = scalar(mask, Array(bytes[start..<start + length]), offset: offset)
                    #expect(masked == Array(bytes[..<start]) + middle + Array(bytes[(start + length)...]), "seed 53")
                }
            }
        }
    }

    @Test func `the standard's sample`() {
        var bytes: [UInt8] = [0x7F, 0x9F, 0x4D, 0x51, 0x58]
        bytes.withUnsafeMutableBytes { WebSocketMask.apply(0x3D21_FA37, to: $0, offset: 0) }
        #expect(String(decoding: bytes, as: UTF8.self) == "Hello")
    }
}
