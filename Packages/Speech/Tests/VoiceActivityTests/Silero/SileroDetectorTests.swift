// SPDX-License-Identifier: MIT
import Testing
import VoiceActivity

/// Few and short sounds: a chunk takes ten milliseconds in a debug build.
@Suite("Silero in Swift", .enabled(if: InstalledWeights.shared != nil, "\(InstalledWeights.advice)"))
struct SileroDetectorTests {
    private func made() throws -> SileroDetector {
        SileroDetector(weights: try #require(InstalledWeights.shared))
    }

    @Test("probabilities are those of onnxruntime within 5e-5") func reference() throws {
        var detector = try made()
        let found = detector.processChunks(BuzzingVoice.samples(referenceProbabilities.count * 512))
        #expect(found.count == referenceProbabilities.count)
        let worst = zip(found, referenceProbabilities).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 5e-5)
    }

    @Test("a frame of 10 ms has the probability of the chunk that its middle lies in") func alignment() throws {
        let samples = BuzzingVoice.samples(20 * 512)
        var chunked = try made(), framed = try made()
        let chunks = chunked.processChunks(samples)
        let frames = framed.process(samples)
        var expected: [Float] = []
        for frame in 0..<64 { expected.append(chunks[(160 * frame + 80) / 512]) }
        #expect(frames == expected)
        #expect(framed.finish().isEmpty, "20 chunks are 64 whole frames")
    }

    @Test("however the sound is cut, the frames are the same", arguments: [1, 160, 511, 513, 3000])
    func cuts(size: Int) throws {
        let samples = BuzzingVoice.samples(6 * 512 + 300)
        var whole = try made(), cut = try made()
        let expected = whole.process(samples) + whole.finish()
        #expect(expected.count == (samples.count + 80) / 160)
        var found: [Float] = []
        for start in stride(from: 0, to: samples.count, by: size) {
            found += cut.process(Array(samples[start..<min(start + size, samples.count)]))
        }
        #expect(found + cut.finish() == expected)
    }

    @Test("the frames owed at the end are those at least half full", arguments: [0, 79, 80, 159, 240, 512, 592, 593])
    func ending(count: Int) throws {
        var detector = try made()
        let samples = [Float](repeating: 0.01, count: count)
        #expect((detector.process(samples) + detector.finish()).count == (count + 80) / 160)
    }

    @Test("after an end or a reset, the next stream starts from nothing") func forgetting() throws {
        let samples = BuzzingVoice.samples(8 * 512)
        var fresh = try made(), used = try made()
        let expected = fresh.process(samples)
        _ = used.process(Array(samples.reversed()))
        _ = used.finish()
        #expect(used.process(samples) == expected)
        used.reset()
        #expect(used.process(samples) == expected)
    }

    @Test("a copy goes its own way") func copies() throws {
        let samples = BuzzingVoice.samples(8 * 512)
        var first = try made()
        _ = first.process(samples)
        var second = first
        let expected = first.process(samples)
        #expect(second.process(samples) == expected)
    }

    @Test("what is no number, or too great, does not stay", arguments: [Float.nan, .infinity, -3])
    func brokenSamples(value: Float) throws {
        var detector = try made()
        let broken = detector.processChunks([Float](repeating: value, count: 2 * 512))
        let after = detector.processChunks(BuzzingVoice.samples(12 * 512))
        #expect((broken + after).allSatisfy { (0...1).contains($0) })
        #expect(after.contains { $0 > 0.3 }, "the voice is heard again")
    }
}
