// SPDX-License-Identifier: MIT
import Testing
import VoiceActivity

@Suite("Spectral detector")
struct SpectralDetectorTests {
    /// White noise of an amplitude, always the same one.
    private static func noise(_ count: Int, amplitude: Float) -> [Float] {
        var state: UInt32 = 99
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return amplitude * (Float(state >> 8) / 8_388_608 - 1)
        }
    }

    @Test("probabilities are those of the reference in double precision") func reference() {
        var detector = SpectralDetector()
        let found = detector.process(BuzzingVoice.samples(64_000)) + detector.finish()
        #expect(found.count == 400)
        var worst: Float = 0
        for (one, other) in zip(found, referenceSpectralProbabilities) { worst = max(worst, abs(one - other)) }
        #expect(worst < 2e-3)
    }

    @Test("however the sound is cut, the frames are the same", arguments: [1, 159, 160, 161, 512, 7000])
    func cuts(size: Int) {
        let samples = BuzzingVoice.samples(9000)
        var whole = SpectralDetector(), cut = SpectralDetector()
        let expected = whole.process(samples) + whole.finish()
        var found: [Float] = []
        for start in stride(from: 0, to: samples.count, by: size) {
            found += cut.process(Array(samples[start..<min(start + size, samples.count)]))
        }
        found += cut.finish()
        #expect(found == expected)
        #expect(found.count == 56)
    }

    @Test(
        "the frames owed at the end are those at least half full", arguments: [0, 79, 80, 239, 240, 1280, 1361, 5000])
    func ending(count: Int) {
        var detector = SpectralDetector()
        let samples = [Float](repeating: 0.01, count: count)
        let frames = detector.process(samples) + detector.finish()
        #expect(frames.count == (count + 80) / 160)
    }

    @Test("a frame is known 81 ms after its beginning") func delay() {
        var detector = SpectralDetector()
        let before = detector.process([Float](repeating: 0, count: 1295))
        let after = detector.process([0])
        #expect(before.isEmpty)
        #expect(after.count == 1)
    }

    @Test("a background alone is no speech", arguments: [0, 0.00003, 0.001, 0.1] as [Float])
    func background(amplitude: Float) {
        var detector = SpectralDetector()
        let frames = detector.process(Self.noise(32_000, amplitude: amplitude)) + detector.finish()
        let wrong = frames.count { $0 >= 0.5 }
        #expect(wrong <= frames.count / 50)
    }

    @Test("a noise that comes suddenly is background within three seconds") func louderRoom() {
        var detector = SpectralDetector()
        _ = detector.process(Self.noise(32_000, amplitude: 0.001))
        _ = detector.process(Self.noise(48_000, amplitude: 0.03))
        let frames = detector.process(Self.noise(32_000, amplitude: 0.03))
        let wrong = frames.count { $0 >= 0.5 }
        #expect(wrong <= frames.count / 50)
    }

    @Test("after an end or a reset, the next stream starts from nothing") func forgetting() {
        let samples = BuzzingVoice.samples(8000)
        var fresh = SpectralDetector(), used = SpectralDetector()
        let expected = fresh.process(samples)
        _ = used.process(Array(samples.reversed()))
        _ = used.finish()
        let second = used.process(samples)
        used.reset()
        let third = used.process(samples)
        #expect(second == expected)
        #expect(third == expected)
    }

    @Test("what is no number, or too great, does not stay", arguments: [Float.nan, .infinity])
    func brokenSamples(value: Float) {
        var detector = SpectralDetector()
        let broken = detector.process([Float](repeating: value, count: 4000))
        let quiet = detector.process(Self.noise(40_000, amplitude: 0.001))
        let speech = detector.process(BuzzingVoice.samples(16_000))
        #expect((broken + quiet + speech).allSatisfy { (0...1).contains($0) })
        #expect(quiet.suffix(20).allSatisfy { $0 < 0.5 })
        #expect(speech.contains { $0 > 0.9 })
    }
}
