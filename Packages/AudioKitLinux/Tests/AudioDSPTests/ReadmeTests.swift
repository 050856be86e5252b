// SPDX-License-Identifier: MIT
import AudioDSP
import Testing

@Suite("README of AudioDSP")
struct ReadmeTests {
    @Test("the first use compiles and does what it says")
    func firstUse() {
        let plan = RealFFT(size: 512)
        let tone = Chirp.samples(512, frequencies: 1_000...1_000, sampleRate: 16_000)
        let spectrum = plan.forward(tone)
        var loudness = LoudnessMeter(sampleRate: 16_000, channels: 1)
        var filter = BiquadCascade([.highPass(80, sampleRate: 16_000)])
        var samples = tone
        samples.withUnsafeMutableBufferPointer { filter.process($0) }
        samples.withUnsafeBufferPointer { loudness.add($0) }
        let power = zip(spectrum.real, spectrum.imaginary).map { $0 * $0 + $1 * $1 }
        #expect(power.indices.max { power[$0] < power[$1] } == 32)
        #expect(loudness.momentary == -.infinity)
    }
}
