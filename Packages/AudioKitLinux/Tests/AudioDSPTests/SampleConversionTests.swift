// SPDX-License-Identifier: MIT

import AudioDSP
import TestKit
import Testing

/// Lengths around the vectors' own, and starts off their alignment.
private let lengths = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 100]

@Suite("Sample conversion")
struct SampleConversionTests {
    /// The definition: ×2ⁿ⁻¹ in doubles, nearest (a half to even), clamped; not-a-number is 0.
    private func oracle(_ value: Float, bits: Int, noise: Float = 0) -> Int {
        let full = Double(Int(1) << (bits - 1))
        let scaled = noise == 0 ? Double(value) * full : Double(value * Float(full) + noise)
        guard !scaled.isNaN else { return 0 }
        return Int(min(max(scaled, -full), full - 1).rounded(.toNearestOrEven))
    }

    @Test("floats become integers as defined", arguments: lengths)
    func narrowing(_ count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for start in 0...3 {
            let source = random.wildSamples(count + start)
            var narrow = [Int16](repeating: 77, count: count + start + 1)
            var middle = [Int32](repeating: 77, count: count + start + 1)
            var wide = middle
            var packed = [UInt8](repeating: 77, count: 3 * (count + start) + 1)
            source.withUnsafeBufferPointer { whole in
                let piece = UnsafeBufferPointer(rebasing: whole[start...])
                narrow.withUnsafeMutableBufferPointer {
                    SampleConversion.toInt16(piece, into: .init(rebasing: $0[start...]))
                }
                middle.withUnsafeMutableBufferPointer {
                    SampleConversion.toInt24(piece, into: .init(rebasing: $0[start...]))
                }
                wide.withUnsafeMutableBufferPointer {
                    SampleConversion.toInt32(piece, into: .init(rebasing: $0[start...]))
                }
                packed.withUnsafeMutableBytes {
                    SampleConversion.toPackedInt24(piece, into: .init(rebasing: $0[(3 * start)...]))
                }
            }
            for index in start..<count + start {
                #expect(Int(narrow[index]) == oracle(source[index], bits: 16), "\(source[index])")
                #expect(Int(middle[index]) == oracle(source[index], bits: 24), "\(source[index])")
                #expect(Int(wide[index]) == oracle(source[index], bits: 32), "\(source[index])")
                let word =
                    Int32(packed[3 * index]) | Int32(packed[3 * index + 1]) << 8 | Int32(packed[3 * index + 2]) << 16
                #expect((word << 8) >> 8 == middle[index])
                #expect(SampleConversion.int16(source[index]) == narrow[index])
                #expect(SampleConversion.int32(source[index]) == wide[index])
            }
            #expect(narrow[count + start] == 77 && middle[count + start] == 77 && wide[count + start] == 77)
            #expect(packed[3 * (count + start)] == 77)
        }
    }

    @Test("integers become floats as defined, and come back the same", arguments: lengths)
    func widening(_ count: Int) {
        var random = SeededGenerator(seed: UInt64(count) + 100)
        for start in 0...3 {
            let total = count + start
            let words = (0..<total).map { index in
                index % 5 == 0 ? [Int32.min, .max, 0, -1, 1][index / 5 % 5] : Int32(truncatingIfNeeded: random.next())
            }
            let narrow = words.map { Int16(truncatingIfNeeded: $0 >> 16) }
            // Rubbish in the containers' top byte.
            let middle = words.map { ($0 >> 8 & 0xFF_FFFF) | ($0 << 24) }
            let packed = words.flatMap {
                [
                    UInt8(truncatingIfNeeded: $0 >> 8), .init(truncatingIfNeeded: $0 >> 16),
                    .init(truncatingIfNeeded: $0 >> 24),
                ]
            }
            var floats = [[Float]](repeating: [Float](repeating: 77, count: total + 1), count: 4)
            narrow.withUnsafeBufferPointer { source in
                floats[0].withUnsafeMutableBufferPointer {
                    SampleConversion.toFloat(.init(rebasing: source[start...]), into: .init(rebasing: $0[start...]))
                }
            }
            middle.withUnsafeBufferPointer { source in
                floats[1].withUnsafeMutableBufferPointer {
                    SampleConversion.int24ToFloat(
                        .init(rebasing: source[start...]), into: .init(rebasing: $0[start...]))
                }
            }
            packed.withUnsafeBytes { source in
                floats[2].withUnsafeMutableBufferPointer {
                    SampleConversion.packedInt24ToFloat(
                        .init(rebasing: source[(3 * start)...]), into: .init(rebasing: $0[start...]))
                }
            }
            words.withUnsafeBufferPointer { source in
                floats[3].withUnsafeMutableBufferPointer {
                    SampleConversion.toFloat(.init(rebasing: source[start...]), into: .init(rebasing: $0[start...]))
                }
            }
            for index in start..<total {
                #expect(floats[0][index] == Float(narrow[index]) / 32_768)
                #expect(floats[1][index] == Float(words[index] >> 8) / 8_388_608)
                #expect(floats[2][index] == floats[1][index])
                #expect(floats[3][index] == Float(words[index]) / 2_147_483_648)
                #expect(SampleConversion.int16(floats[0][index]) == narrow[index])
                #expect(oracle(floats[1][index], bits: 24) == Int(words[index] >> 8))
            }
            for list in floats { #expect(list[total] == 77) }
        }
    }

    @Test("every 16-bit integer survives the way to float and back")
    func all() {
        #expect((Int16.min...Int16.max).allSatisfy { SampleConversion.int16(Float($0) / 32_768) == $0 })
    }

    @Test("dither is the same however the stream is cut, its mean is 0 and its power that of the triangle")
    func dither() {
        var whole = TPDFDither(seed: 9)
        let noise = (0..<20_000).map { _ in whole.next() }
        #expect(noise.allSatisfy { (-1...1).contains($0) })
        let mean = noise.reduce(0, +) / 20_000
        let power = noise.reduce(0) { $0 + $1 * $1 } / 20_000
        #expect(abs(mean) < 0.01)
        #expect(abs(power - 1.0 / 6) < 0.005)
        // Neighbours know nothing of each other.
        let relation = zip(noise, noise.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / 20_000
        #expect(abs(relation) < 0.005)

        var random = SeededGenerator(seed: 4)
        let signal = random.wildSamples(257)
        let expected = zip(signal, noise).map { Int16(oracle($0, bits: 16, noise: $1)) }
        for cut in [257, 1, 3, 8, 20] {
            var dither = TPDFDither(seed: 9)
            var found: [Int16] = []
            for first in stride(from: 0, to: 257, by: cut) {
                let piece = Array(signal[first..<min(257, first + cut)])
                var result = [Int16](repeating: 0, count: piece.count)
                piece.withUnsafeBufferPointer { piece in
                    result.withUnsafeMutableBufferPointer {
                        SampleConversion.toInt16(piece, into: $0, dither: &dither)
                    }
                }
                found += result
            }
            #expect(found == expected, "cut into \(cut)")
        }
        var other = TPDFDither(seed: 10)
        #expect(other.next() != noise[0])
    }
}
