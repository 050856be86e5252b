// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Biquads")
struct BiquadTests {
    private func decibels(_ filter: Biquad, _ frequency: Double) -> Double {
        20 * log10(filter.magnitude(at: frequency, sampleRate: 48_000))
    }

    @Test("the designs have the gains that they promise")
    func designs() {
        let low = Biquad.lowPass(1_000, sampleRate: 48_000)
        #expect(
            abs(decibels(low, 1_000) + 3.0103) < 1e-3 && abs(decibels(low, 10)) < 1e-3 && decibels(low, 8_000) < -35)
        let high = Biquad.highPass(1_000, sampleRate: 48_000)
        #expect(abs(decibels(high, 1_000) + 3.0103) < 1e-3 && abs(decibels(high, 20_000)) < 0.01)
        #expect(abs(decibels(high, 250) + 24) < 0.3)
        let notch = Biquad.notch(50, sampleRate: 48_000, q: 10)
        #expect(decibels(notch, 50) < -100 && abs(decibels(notch, 100)) < 0.1)
        let peak = Biquad.peaking(2_000, gain: 6, sampleRate: 48_000, q: 2)
        #expect(abs(decibels(peak, 2_000) - 6) < 1e-6 && abs(decibels(peak, 20)) < 0.01)
        let bass = Biquad.lowShelf(200, gain: -9, sampleRate: 48_000)
        #expect(
            abs(decibels(bass, 1) + 9) < 0.01 && abs(decibels(bass, 200) + 4.5) < 1e-6
                && abs(decibels(bass, 20_000)) < 0.01)
        let treble = Biquad.highShelf(4_000, gain: 5, sampleRate: 48_000)
        #expect(
            abs(decibels(treble, 23_999) - 5) < 0.01 && abs(decibels(treble, 4_000) - 2.5) < 1e-6
                && abs(decibels(treble, 20)) < 0.01)
        let blocker = Biquad.dcBlocker(10, sampleRate: 48_000)
        #expect(blocker.magnitude(at: 0, sampleRate: 48_000) == 0)
        #expect(abs(decibels(blocker, 10) + 3.01) < 0.05 && abs(decibels(blocker, 1_000)) < 0.01)
    }

    /// Direct form I in doubles, sample by sample.
    private func oracle(_ sections: [Biquad], _ samples: [Float], channels: Int) -> [Float] {
        var signal = samples.map(Double.init)
        for section in sections {
            for channel in 0..<channels {
                var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
                for index in stride(from: channel, to: signal.count, by: channels) {
                    let x = signal[index]
                    let y = section.b0 * x + section.b1 * x1 + section.b2 * x2 - section.a1 * y1 - section.a2 * y2
                    (x2, x1, y2, y1) = (x1, x, y1, y)
                    signal[index] = y
                }
            }
        }
        return signal.map(Float.init)
    }

    @Test("a cascade is its direct form, however the stream is cut", arguments: 1...5)
    func cascade(_ channels: Int) {
        let sections = [
            Biquad.highPass(80, sampleRate: 48_000), .peaking(3_000, gain: 4, sampleRate: 48_000, q: 1),
            .lowPass(9_000, sampleRate: 48_000),
        ]
        var random = SeededGenerator(seed: UInt64(channels))
        let signal = random.samples(300 * channels)
        let expected = oracle(sections, signal, channels: channels)
        for cut in [300, 1, 7, 129] {
            var filter = BiquadCascade(sections, channels: channels)
            var found: [Float] = []
            for first in stride(from: 0, to: 300, by: cut) {
                var piece = Array(signal[first * channels..<min(300, first + cut) * channels])
                piece.withUnsafeMutableBufferPointer { filter.process($0) }
                found += piece
            }
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-5 })
        }
    }

    @Test("an offset goes, silence becomes exact, and one value that is not a number does not stay")
    func robust() {
        var filter = BiquadCascade([.dcBlocker(20, sampleRate: 8_000)], channels: 2)
        var offset = [Float](repeating: 0.5, count: 16_000)
        offset.withUnsafeMutableBufferPointer { filter.process($0) }
        #expect(offset.suffix(100).allSatisfy { abs($0) < 1e-6 })
        var silence = [Float](repeating: 0, count: 16_000)
        silence.withUnsafeMutableBufferPointer { filter.process($0) }
        #expect(silence.suffix(256).allSatisfy { $0 == 0 || abs($0) > 1e-36 })
        for wrong in [Float.nan, .infinity] {
            var broken = [Float](repeating: 0.25, count: 2_000)
            broken[1] = wrong
            broken.withUnsafeMutableBufferPointer { filter.process($0) }
            #expect(broken[256...].allSatisfy { $0.isFinite })
        }
        filter.reset()
        var first: [Float] = [1, 1]
        first.withUnsafeMutableBufferPointer { filter.process($0) }
        #expect(first[0] == first[1] && first[0] > 0.98)
    }
}
