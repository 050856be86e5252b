// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Pictures")
struct PictureTests {
    @Test(
        "a tone of full scale stands at 0 dB in its bar, at once, and falls slowly", arguments: [100.0, 1_000, 8_000])
    func bars(_ frequency: Double) {
        var bars = SpectrumBars(count: 32, sampleRate: 48_000, size: 1_024)
        #expect(bars.edges.count == 32 && abs((bars.edges.last ?? 0) - 16_000) < 1e-6)
        let tone = (0..<1_024).map { Float(sin(2 * .pi * frequency * Double($0) / 48_000)) }
        tone.withUnsafeBufferPointer { bars.add($0) }
        let loudest = bars.levels.indices.max { bars.levels[$0] < bars.levels[$1] } ?? 0
        // A tone between two bins loses up to 1.5 dB under this window.
        #expect(bars.levels[loudest] > -1.6 && bars.levels[loudest] < 0.1)
        #expect(bars.edges[loudest] > frequency * 0.8 && (loudest == 0 || bars.edges[loudest - 1] < frequency * 1.25))
        let before = bars.levels[loudest]
        [Float](repeating: 0, count: 1_024).withUnsafeBufferPointer { bars.add($0) }
        #expect(abs(bars.levels[loudest] - (-90 + (before + 90) * 0.8)) < 1e-3)
        [Float](repeating: .nan, count: 1_024).withUnsafeBufferPointer { bars.add($0) }
        #expect(bars.levels.allSatisfy { $0.isFinite })
        bars.reset()
        #expect(bars.levels.allSatisfy { $0 == -90 })
    }

    @Test("peaks are those of each bucket, however the stream is cut", arguments: 1...2)
    func peaks(_ channels: Int) {
        var random = SeededGenerator(seed: UInt64(channels))
        let signal = random.wildSamples(700 * channels).map { $0.isNaN || abs($0) <= 2 ? $0 : 2 }
        for cut in [1_400, 1, 13, 64] {
            var picture = WaveformPeaks(bucketFrames: 16, channels: channels, levels: 3)
            for first in stride(from: 0, to: signal.count, by: cut) {
                Array(signal[first..<min(signal.count, first + cut)]).withUnsafeBufferPointer { picture.add($0) }
            }
            #expect(picture.levels.map(\.count) == [43, 10, 2])
            picture.finish()
            picture.finish()
            #expect(picture.levels.map(\.count) == [44, 11, 2])
            for (level, frames) in [16, 64, 256].enumerated() {
                for (index, bucket) in picture.levels[level].enumerated() {
                    let size = frames * channels
                    let piece = signal[index * size..<min(signal.count, (index + 1) * size)].filter { !$0.isNaN }
                    #expect(bucket.minimum == piece.min() && bucket.maximum == piece.max())
                    let rms = (piece.reduce(0) { $0 + $1 * $1 } / Float(max(1, piece.count))).squareRoot()
                    // Coarse levels weigh buckets equally, whatever was left out of each.
                    #expect(abs(bucket.rms - rms) < (level == 0 ? 1e-5 : 0.05))
                }
            }
        }
    }

    @Test("an overview has its width and misses nothing")
    func overview() {
        var picture = WaveformPeaks(bucketFrames: 4, levels: 4)
        #expect(picture.overview(10).isEmpty)
        (0..<1_024).map { $0 == 517 ? Float(0.9) : 0.1 }.withUnsafeBufferPointer { picture.add($0) }
        for width in [1, 3, 10, 60, 200] {
            let columns = picture.overview(width)
            #expect(columns.count == width)
            #expect(columns.map(\.maximum).max() == 0.9 && columns.map(\.minimum).min() == 0.1)
        }
        #expect(picture.overview(1_000).count == 256 && picture.overview(0).isEmpty)
        var broken = WaveformPeaks(bucketFrames: 2)
        [Float.nan, .nan].withUnsafeBufferPointer { broken.add($0) }
        #expect(broken.levels[0] == [.init(minimum: 0, maximum: 0, rms: 0)])
    }
}
