// SPDX-License-Identifier: MIT

import Foundation

/// A WAV file of silence, 16 kHz, one channel of 16 bits.
enum WAVSilence {
    static func write(seconds: Int, to path: String) throws {
        let count = seconds * 32_000
        func bytes(_ value: Int) -> Data {
            withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) }
        }
        let format =
            Data([16, 0, 0, 0, 1, 0, 1, 0]) + bytes(16_000) + bytes(32_000) + Data([2, 0, 16, 0])
        let header =
            Data("RIFF".utf8) + bytes(36 + count) + Data("WAVEfmt ".utf8) + format + Data("data".utf8)
        try (header + bytes(count) + Data(count: count)).write(to: URL(filePath: path))
    }
}
