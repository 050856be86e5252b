// SPDX-License-Identifier: MIT
import AudioDSP
import Glibc
import Testing

/// Signals of EBU Tech 3341 that can be synthesised, at 8 kHz where the length would make a debug build slow: the K
/// weighting of 1 kHz does not depend on the rate.
@Suite("Loudness")
struct LoudnessTests {
    private func measure(
        _ parts: [(decibels: Double, seconds: Double)], rate: Int = 8_000, channels: Int = 2, frequency: Double = 1_000,
        levels: [Double]? = nil, cut: Int = 800
    ) -> LoudnessMeter {
        var meter = LoudnessMeter(sampleRate: rate, channels: channels)
        var piece: [Float] = []
        var time = 0
        func flush() {
            piece.withUnsafeBufferPointer { meter.add($0) }
            piece.removeAll(keepingCapacity: true)
        }
        for part in parts {
            let amplitude = pow(10, part.decibels / 20)
            for _ in 0..<Int(part.seconds * Double(rate)) {
                let sample = amplitude * sin(2 * .pi * frequency * Double(time) / Double(rate))
                for channel in 0..<channels { piece.append(Float(sample * (levels?[channel] ?? 1))) }
                time += 1
                if piece.count >= cut * channels { flush() }
            }
        }
        flush()
        return meter
    }

    @Test("the filter at 48 kHz is the recommendation's")
    func coefficients() {
        let filter = Biquad.kWeighting(sampleRate: 48_000)
        let expected = [
            [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585],
            [1, -2, 1, -1.99004745483398, 0.99007225036621],
        ]
        for (section, row) in zip(filter, expected) {
            for (found, wanted) in zip([section.b0, section.b1, section.b2, section.a1, section.a2], row) {
                #expect(abs(found - wanted) < 1e-9)
            }
        }
    }

    @Test("cases 1 and 2: a tone of -23 and -33 dBFS measures that", arguments: [-23.0, -33], [8_000, 44_100, 48_000])
    func tone(_ level: Double, _ rate: Int) {
        let meter = measure([(level, rate == 8_000 ? 20 : 4)], rate: rate)
        for value in [meter.momentary, meter.shortTerm, meter.integrated] { #expect(abs(value - level) < 0.1) }
    }

    @Test("case 3: quiet ends are gated out")
    func relativeGate() {
        #expect(abs(measure([(-36, 10), (-23, 60), (-36, 10)]).integrated + 23) < 0.1)
    }

    @Test("case 4: silence and quiet ends are gated out")
    func bothGates() {
        let meter = measure([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)])
        #expect(abs(meter.integrated + 23) < 0.1)
    }

    @Test("case 5: what is within the gate counts")
    func within() {
        #expect(abs(measure([(-26, 20), (-20, 20.1), (-26, 20)]).integrated + 23) < 0.1)
    }

    @Test("case 6: 5.1 with its channels' weights")
    func surround() {
        let levels = [-28.0, -28, -24, -200, -30, -30].map { pow(10, $0 / 20) }
        #expect(abs(measure([(0, 20)], channels: 6, levels: levels).integrated + 23) < 0.1)
    }

    @Test("cases 9 and 12: short-term and momentary stay steady when parts alternate within their windows")
    func windows() {
        let slow = measure((0..<5).flatMap { _ in [(-20.0, 1.34), (-30, 1.66)] })
        #expect(abs(slow.shortTerm + 23) < 0.1)
        let fast = measure((0..<25).flatMap { _ in [(-20.0, 0.18), (-30, 0.22)] })
        #expect(abs(fast.momentary + 23) < 0.1)
        #expect(abs(fast.maximumMomentary + 23) < 0.1)
    }

    @Test("Tech 3342 cases 1 and 3: the range of two levels")
    func range() {
        #expect(abs(measure([(-20, 20), (-30, 20)]).range - 10) < 1)
        #expect(abs(measure([(-40, 20), (-20, 20)]).range - 20) < 1)
    }

    @Test("the stream may be cut anywhere; mono counts once; nothing measures as nothing")
    func edges() {
        let whole = measure([(-23, 1), (-30, 1)], cut: 1_000_000)
        for cut in [1, 7, 333] {
            let other = measure([(-23, 1), (-30, 1)], cut: cut)
            #expect(abs(other.integrated - whole.integrated) < 1e-9 && abs(other.momentary - whole.momentary) < 1e-9)
        }
        #expect(abs(measure([(-23, 1)], channels: 1).integrated + 26.01) < 0.1)
        let silent = measure([(-.infinity, 4)])
        #expect(silent.integrated == -.infinity && silent.momentary == -.infinity && silent.range == 0)
        #expect(LoudnessMeter(sampleRate: 8_000, channels: 1).shortTerm == -.infinity)
        var broken = measure([(-23, 1)])
        [Float.nan, .infinity, 0, 0].withUnsafeBufferPointer { broken.add($0) }
        let tone = (0..<16_000).map { Float(0.0708 * sin(2 * .pi * 1_000 * Double($0 / 2) / 8_000)) }
        tone.withUnsafeBufferPointer { broken.add($0) }
        #expect(abs(broken.momentary + 23) < 0.1 && abs(broken.integrated + 23) < 1)
    }

    @Test("true peaks lie between the samples, however the stream is cut", arguments: 1...3)
    func truePeak(_ channels: Int) {
        // A quarter of the rate at 45°: the samples see 0.707 of the peak (Tech 3341, case 16).
        let tone = (0..<400).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        let samples = tone.flatMap { sample in (0..<channels).map { $0 == channels - 1 ? sample : 0.1 * sample } }
        let faded = samples.enumerated().map { $1 * min(1, Float($0 / channels) / 100) }
        var whole = TruePeakMeter(channels: channels)
        faded.withUnsafeBufferPointer { whole.add($0) }
        let decibels = 20 * log10(Double(whole.peak))
        #expect(decibels < -6 + 0.2 && decibels > -6 - 0.4)
        for cut in [1, 5, 11, 12, 30] {
            var meter = TruePeakMeter(channels: channels)
            for first in stride(from: 0, to: 400, by: cut) {
                Array(faded[first * channels..<min(400, first + cut) * channels]).withUnsafeBufferPointer {
                    meter.add($0)
                }
            }
            #expect(meter.peak == whole.peak)
        }
        var wild = TruePeakMeter(channels: channels)
        [Float](repeating: .nan, count: 60).withUnsafeBufferPointer { wild.add($0) }
        #expect(wild.peak == 0)
        [Float](repeating: 1.5, count: channels).withUnsafeBufferPointer { wild.add($0) }
        #expect(wild.peak >= 1.5)
    }
}
