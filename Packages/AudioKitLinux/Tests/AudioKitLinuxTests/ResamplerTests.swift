// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

@Suite struct ResamplerTests {
    @Test(arguments: [(48_000, 16_000), (44_100, 16_000), (16_000, 48_000), (8_000, 16_000), (22_050, 16_000)])
    func lengthIsExactToAFrame(_ from: Int, _ to: Int) throws {
        let resampler = try Resampler(from: from, to: to)
        for frames in [0, 1, 7, 100, 1_000, 12_345] {
            let output = resampler.process([Float](repeating: 0.1, count: frames)) + resampler.finish()
            let exact = Double(frames) * Double(to) / Double(from)
            #expect(abs(Double(output.count) - exact) <= 1, "\(frames) frames from \(from) to \(to)")
        }
    }

    @Test(arguments: [(48_000, 16_000, 1), (44_100, 16_000, 2), (16_000, 44_100, 1)])
    func anyCutGivesTheSameSamples(_ from: Int, _ to: Int, _ channels: Int) throws {
        let format = AudioFormat(sampleRate: from, channels: channels)
        let sound = TestSignal.noise(frames: 9_000, format: format, seed: 1).samples
        let whole = try Resampler(from: from, to: to, channels: channels)
        let expected = whole.process(sound) + whole.finish()
        for cut in [1, 2, 3, 17, 160, 4_096] {
            let resampler = try Resampler(from: from, to: to, channels: channels)
            var output: [Float] = []
            for start in stride(from: 0, to: 9_000, by: cut) {
                let end = min(9_000, start + cut)
                output += resampler.process(Array(sound[start * channels..<end * channels]))
            }
            output += resampler.finish()
            #expect(difference(output, expected) == nil, "pieces of \(cut)")
        }
    }

    @Test func aResamplerStartsANewStreamAfterFinish() throws {
        let sound = TestSignal.noise(frames: 5_000, seed: 2).samples
        let resampler = try Resampler(from: 48_000, to: 16_000)
        let first = resampler.process(sound) + resampler.finish()
        let second = resampler.process(sound) + resampler.finish()
        #expect(difference(first, second) == nil)
    }

    @Test func sevenKilohertzStaysWithinHalfADecibel() throws {
        #expect(abs(try gain(at: 7_000)) < 0.5)
        #expect(abs(try gain(at: 1_000)) < 0.05)
    }

    @Test(arguments: [9_000.0, 10_000, 12_000, 15_000, 20_000, 23_000])
    func whatWouldFoldBackIsGone(_ hertz: Double) throws {
        let output = try resampled(hertz)
        // What is left of it, wherever it may fold to.
        let power = output.map { Double($0) * Double($0) }.reduce(0, +) / Double(output.count)
        #expect(10 * logarithm(power / 0.125) < -60)
    }

    @Test func theDelayIsTakenOut() throws {
        // A pulse in the middle stays in the middle.
        var pulse = [Float](repeating: 0, count: 4_801)
        pulse[2_400] = 1
        let resampler = try Resampler(from: 48_000, to: 16_000)
        let output = resampler.process(pulse) + resampler.finish()
        let top = output.indices.max { output[$0] < output[$1] }
        #expect(top == 800)
    }

    @Test func impossibleRatesAreRefused() {
        #expect(code { _ = try Resampler(from: 0, to: 16_000) } == .formatNotSupported)
        #expect(code { _ = try Resampler(from: 16_000, to: -1) } == .formatNotSupported)
        #expect(code { _ = try Resampler(from: 16_000, to: 8_000, channels: 0) } == .formatNotSupported)
    }

    @Test func aBufferConverts() throws {
        let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
        let speech = try TestSignal.sine(500, frames: 24_000, format: stereo).converted(to: .speech)
        #expect(speech.format == .speech && speech.frameCount == 8_000)
        let back = try speech.converted(to: stereo)
        #expect(back.format == stereo && back.frameCount == 24_000)
        let left = stride(from: 4_800, to: 43_200, by: 2).map { back.samples[$0] }
        #expect(abs(TestSignal.amplitude(of: 500, in: left, rate: 48_000) - 0.5) < 0.01)
    }

    private func resampled(_ hertz: Double) throws -> ArraySlice<Float> {
        let format = AudioFormat(sampleRate: 48_000)
        let resampler = try Resampler(from: 48_000, to: 16_000)
        let output = resampler.process(TestSignal.sine(hertz, frames: 48_000, format: format).samples)
        // Without the ends, where the tone begins and stops.
        return output[1_600..<14_400]
    }

    private func gain(at hertz: Double) throws -> Double {
        20 * logarithm(TestSignal.amplitude(of: hertz, in: try resampled(hertz), rate: 16_000) / 0.5)
    }
}
