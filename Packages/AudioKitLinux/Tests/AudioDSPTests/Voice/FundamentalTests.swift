// SPDX-License-Identifier: MIT

import AudioDSP
import TestKit
import Testing

/// The error of the fundamental on sounds whose fundamental is known.
@Suite struct FundamentalTests {
    private static let factors = [0.5, 0.7, 0.85, 1.15, 1.4, 2.0]

    private struct Sound: CustomStringConvertible {
        let description: String
        let samples: [Float]
        let track: [Double?]

        init(description: String, samples: [Float], sampleRate: Double) {
            (self.description, self.samples) = (description, samples)
            track = ReferencePitch.track(samples, sampleRate: sampleRate)
        }

        private static let usual = make(16_000)
        private static let wide = make(24_000)

        /// The sounds at a rate that suits a factor: most at 16 kHz, some at 24 kHz.
        static func all(_ factor: Double) -> (sampleRate: Double, sounds: [Sound]) {
            factor == 1.4 ? (24_000, wide) : (16_000, usual)
        }

        private static func make(_ sampleRate: Double) -> [Sound] {
            func sweep(_ low: Double, _ high: Double, _ formants: [(Double, Double)]) -> [Float] {
                SyntheticVoice.vowel(
                    from: low, to: high, seconds: 2, sampleRate: sampleRate,
                    formants: formants.map { (frequency: $0.0, width: $0.1) })
            }
            func tone(_ frequency: Double) -> [Float] {
                SyntheticVoice.vowel(from: frequency, seconds: 0.6, sampleRate: sampleRate)
            }
            return [
                ("sweep from 80 to 400 Hz", sweep(80, 400, [(700, 90), (1_220, 110), (2_600, 160)])),
                ("sweep from 400 to 90 Hz", sweep(400, 90, [(310, 60), (2_020, 110), (2_960, 160)])),
                ("sung tone of 110 Hz", tone(110)), ("sung tone of 330 Hz", tone(330)),
                ("phrase", SyntheticVoice.phrase(sampleRate: sampleRate)),
            ].map { Sound(description: $0.0, samples: $0.1, sampleRate: sampleRate) }
        }
    }

    @Test func `the reference finds a known fundamental`() {
        let track = ReferencePitch.track(
            SyntheticVoice.vowel(from: 173, seconds: 0.5, sampleRate: 16_000), sampleRate: 16_000)
        #expect(track.count > 20 && track.dropFirst().allSatisfy { abs(($0 ?? 0) / 173 - 1) < 0.002 })
        #expect(ReferencePitch.track([Float](repeating: 0, count: 8_000), sampleRate: 16_000).allSatisfy { $0 == nil })
    }

    @Test(arguments: factors)
    func `a shifted voice has the factor's pitch within 1%`(_ factor: Double) throws {
        let (sampleRate, sounds) = Sound.all(factor)
        for sound in sounds {
            var shift = try PitchShift(factor: factor, sampleRate: sampleRate)
            let result = shift.process(sound.samples) + shift.finish()
            let (median, near) = ReferencePitch.ratio(
                sound.track, ReferencePitch.track(result, sampleRate: sampleRate, from: factor < 1 ? 40 : 60))
            #expect(abs(median / factor - 1) < 0.01, "\(sound): \(median)")
            #expect(near > 0.9, "\(sound): \(near)")
        }
    }

    @Test(arguments: factors)
    func `a stretched voice keeps its pitch within 0.5%`(_ rate: Double) throws {
        let (sampleRate, sounds) = Sound.all(rate)
        for sound in sounds {
            var stretch = try TimeStretch(rate: rate, sampleRate: sampleRate)
            let result = stretch.process(sound.samples) + stretch.finish()
            let track = ReferencePitch.track(result, sampleRate: sampleRate)
            // A block may be moved by 8.5 ms and lasts 12.5, in which a gliding voice changes by a per cent.
            let ratios = [-0.015, -0.01, -0.005, 0, 0.005, 0.01, 0.015].map {
                ReferencePitch.ratio(sound.track, track, rate: rate, early: $0)
            }
            let least = ratios.min { abs($0.median - 1) < abs($1.median - 1) }
            let (median, near) = try #require(least)
            #expect(abs(median - 1) < 0.005, "\(sound): \(median)")
            #expect(near > 0.7, "\(sound): \(near)")
        }
    }
}
