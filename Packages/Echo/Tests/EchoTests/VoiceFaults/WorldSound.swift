// SPDX-License-Identifier: MIT

import Glibc

/// Sound that says what it is, sample by sample: the user's names the utterance and the place in it, an answer's names the
/// answer and the frame. Zero is silence.
enum WorldSound {
    /// Frames of some answer, one after the other, from a frame of it on.
    struct Piece: Hashable {
        /// 0 for silence, else the answer's number modulo seven, plus one.
        var mark: Int
        /// Modulo ``cycle``.
        var offset: Int
        var count: Int
    }

    static let rate = 24_000
    /// Frames after which an answer's samples repeat.
    static let cycle = 8_192
    private static let longest = 64_000

    // MARK: The user

    /// What every sample of a block of an utterance is: loud enough for any detector.
    static func voice(_ utterance: Int, block: Int) -> UInt16 {
        UInt16(1 << 14 | (utterance % 127 + 1) << 7 | (block & 127))
    }

    static func block(_ value: UInt16, frames: Int) -> [UInt8] {
        let (low, high) = (UInt8(value & 255), UInt8(value >> 8))
        if low == high { return [UInt8](repeating: low, count: frames * 2) }
        return [UInt8](unsafeUninitializedCapacity: frames * 2) { buffer, count in
            for index in 0..<frames {
                buffer[index * 2] = low
                buffer[index * 2 + 1] = high
            }
            count = frames * 2
        }
    }

    /// What the user's sound says: equal samples, and how many.
    static func runs(_ samples: [Int16]) -> [(value: UInt16, count: Int)] {
        var runs: [(value: UInt16, count: Int)] = []
        samples.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return }
            var index = 0
            let frames = raw.count / 2
            while index < frames {
                let value = UInt16(raw[index * 2]) | UInt16(raw[index * 2 + 1]) << 8
                var count = frames - index
                // All the rest is the same if it is the same one sample later.
                if memcmp(base + index * 2, base + index * 2 + 2, (count - 1) * 2) != 0 {
                    count = 1
                    while memcmp(base + index * 2, base + (index + count) * 2, 2) == 0 { count += 1 }
                }
                runs.append((value, count))
                index += count
            }
        }
        return runs
    }

    // MARK: Answers

    static func mark(_ answer: Int) -> Int { answer % 7 + 1 }

    private static let tables: [[UInt8]] = (0...7).map { mark in
        [UInt8](unsafeUninitializedCapacity: (cycle + longest) * 2) { buffer, count in
            for index in 0..<cycle + longest {
                let value = (index % cycle) << 3 | mark
                buffer[index * 2] = UInt8(value & 255)
                buffer[index * 2 + 1] = UInt8(value >> 8)
            }
            count = (cycle + longest) * 2
        }
    }

    static func answer(_ number: Int, count: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: count) { samples, filled in
            while let start = samples.baseAddress, filled < count {
                let more = min(cycle, count - filled)
                memcpy(start + filled, tables[mark(number)], more * 2)
                filled += more
            }
        }
    }

    static func pieces(_ bytes: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return }
            var index = 0
            let frames = raw.count / 2
            while index < frames {
                let value = Int(raw[index * 2]) | Int(raw[index * 2 + 1]) << 8
                let (mark, offset) = (value & 7, value >> 3)
                var count = min(frames - index, mark == 0 ? frames - index : longest)
                if mark == 0 {
                    count =
                        (index..<frames).first { raw[$0 * 2] != 0 || raw[$0 * 2 + 1] != 0 }.map { $0 - index } ?? count
                } else {
                    tables[mark].withUnsafeBytes { table in
                        guard let expected = table.baseAddress.map({ $0 + offset * 2 }) else { return }
                        guard memcmp(base + index * 2, expected, count * 2) != 0 else { return }
                        count = 1
                        while memcmp(base + (index + count) * 2, expected + count * 2, 2) == 0 { count += 1 }
                    }
                }
                pieces.append(Piece(mark: mark, offset: offset, count: max(count, 1)))
                index += max(count, 1)
            }
        }
        return pieces
    }
}
