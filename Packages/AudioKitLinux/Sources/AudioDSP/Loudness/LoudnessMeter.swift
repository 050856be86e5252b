// SPDX-License-Identifier: MIT

internal import Glibc

/// Loudness by ITU-R BS.1770-4 and EBU R 128, in LUFS (dB against full scale, weighted for the ear), over a stream.
///
/// A stereo sine of 1 kHz at −23 dBFS in both channels measures −23.0 LUFS. `add` allocates nothing, and the memory
/// does not grow with the programme: gating blocks are counted in steps of 0.01 LU. Values are −infinity for silence
/// and until there is enough sound to measure. One stream at a time.
public struct LoudnessMeter: Sendable {
    /// Frames per second.
    public let sampleRate: Int
    /// Samples per frame.
    public let channels: Int

    private let weights: [Double]
    private let sections: (Biquad, Biquad)
    /// Four delayed values for each pair of channels.
    private var memory: [SIMD2<Double>]
    private var sums: [SIMD2<Double>]
    private let stepFrames: Int
    private var framesInStep = 0
    /// The weighted powers of the last 30 steps of 100 ms; the newest is at `steps - 1` modulo 30.
    private var powers = [Double](repeating: 0, count: 30)
    private var steps = 0
    private var blocks = LoudnessHistogram()
    private var shortTerms = LoudnessHistogram()
    /// The loudest momentary value so far.
    public private(set) var maximumMomentary = -Double.infinity
    /// The loudest short-term value so far.
    public private(set) var maximumShortTerm = -Double.infinity

    /// Makes a meter. `weights` are the channels'; the default is 1 each up to four channels, and for 5.1 in the order
    /// left, right, centre, low frequencies, left surround, right surround: 1, 1, 1, 0, 1.41, 1.41. Others need them.
    /// The rate is at least 1,000 Hz, with at least one channel and at most one weight for each.
    public init(sampleRate: Int, channels: Int, weights: [Double]? = nil) {
        precondition(sampleRate >= 1_000 && channels > 0 && (weights ?? []).count <= channels)
        self.sampleRate = sampleRate
        self.channels = channels
        var all = weights ?? (channels == 6 ? [1, 1, 1, 0, 1.41, 1.41] : [])
        // Pairs: the second half of an odd last pair has no weight.
        while all.count < channels { all.append(1) }
        if all.count % 2 == 1 { all.append(0) }
        self.weights = all
        let filter = Biquad.kWeighting(sampleRate: Double(sampleRate))
        sections = (filter[0], filter[1])
        memory = [SIMD2<Double>](repeating: SIMD2(0, 0), count: 4 * (all.count / 2))
        sums = [SIMD2<Double>](repeating: SIMD2(0, 0), count: all.count / 2)
        stepFrames = (sampleRate + 5) / 10
    }

    /// Over the last 400 ms, renewed every 100 ms.
    public var momentary: Double { loudness(ofLast: 4) }
    /// Over the last 3 s, renewed every 100 ms.
    public var shortTerm: Double { loudness(ofLast: 30) }
    /// Of the whole programme: the mean of the blocks of 400 ms above −70 LUFS that are not more than 10 LU below the
    /// mean of such blocks.
    public var integrated: Double {
        let mean = blocks.meanPower(from: -70)
        guard mean > 0 else { return -.infinity }
        return Self.loudness(blocks.meanPower(from: max(-70, Self.loudness(mean) - 10)))
    }
    /// The loudness range in LU by EBU Tech 3342: from the 10th to the 95th percentile of the short-term values above
    /// −70 LUFS that are not more than 20 LU below their mean. 0 before the first 3 s.
    public var range: Double {
        let mean = shortTerms.meanPower(from: -70)
        guard mean > 0 else { return 0 }
        return shortTerms.spread(from: max(-70, Self.loudness(mean) - 20), 0.10, 0.95)
    }

    /// Measures `samples` (interleaved, whole frames). Not-a-number and infinite values spoil their 100 ms.
    public mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        let frames = samples.count / channels
        var first = 0
        while first < frames {
            // In pieces, so that decaying memories are cleared before they slow the processor down.
            let length = min(frames - first, stepFrames - framesInStep, 256)
            measure(base + first * channels, length)
            first += length
            framesInStep += length
            if framesInStep == stepFrames { endStep() }
        }
    }

    private mutating func measure(_ samples: UnsafePointer<Float>, _ frames: Int) {
        let (channels, treble, bass) = (channels, sections.0, sections.1)
        memory.withUnsafeMutableBufferPointer { memory in
            sums.withUnsafeMutableBufferPointer { sums in
                for pair in 0..<sums.count {
                    let second = 2 * pair + 1 < channels ? 1 : 0
                    var at = samples + 2 * pair
                    var (s1, s2, s3, s4) = (
                        memory[4 * pair], memory[4 * pair + 1], memory[4 * pair + 2], memory[4 * pair + 3]
                    )
                    var sum = SIMD2(0.0, 0.0)
                    for _ in 0..<frames {
                        let x = SIMD2(Double(at[0]), Double(at[second]))
                        let y = treble.b0 * x + s1
                        s1 = treble.b1 * x + s2 - treble.a1 * y
                        s2 = treble.b2 * x - treble.a2 * y
                        // The high-pass has the weights 1, −2, 1.
                        let z = y + s3
                        s3 = s4 - 2 * y - bass.a1 * z
                        s4 = y - bass.a2 * z
                        sum += z * z
                        at += channels
                    }
                    sums[pair] += sum
                    memory[4 * pair] = BiquadCascade.settled(s1)
                    memory[4 * pair + 1] = BiquadCascade.settled(s2)
                    memory[4 * pair + 2] = BiquadCascade.settled(s3)
                    memory[4 * pair + 3] = BiquadCascade.settled(s4)
                }
            }
        }
    }

    private mutating func endStep() {
        var power = 0.0
        for pair in sums.indices {
            power += weights[2 * pair] * sums[pair].x + weights[2 * pair + 1] * sums[pair].y
            sums[pair] = SIMD2(0, 0)
        }
        power /= Double(stepFrames)
        powers[steps % 30] = power < .infinity ? power : 0
        steps += 1
        framesInStep = 0
        if steps >= 4 {
            let power = meanPower(ofLast: 4)
            blocks.add(power)
            maximumMomentary = max(maximumMomentary, Self.loudness(power))
        }
        if steps >= 30 {
            let power = meanPower(ofLast: 30)
            shortTerms.add(power)
            maximumShortTerm = max(maximumShortTerm, Self.loudness(power))
        }
    }

    private func meanPower(ofLast count: Int) -> Double {
        var sum = 0.0
        for back in 1...count { sum += powers[(steps - back) % 30] }
        return sum / Double(count)
    }

    private func loudness(ofLast count: Int) -> Double {
        steps < count ? -.infinity : Self.loudness(meanPower(ofLast: count))
    }

    private static func loudness(_ power: Double) -> Double { LoudnessHistogram.loudness(power) }
}

extension Biquad {
    /// The two sections of ITU-R BS.1770-4's K weighting at any `sampleRate` (hertz): a shelf that raises the treble by
    /// 4 dB, as a head does, and a high-pass at 38 Hz. At 48 kHz they are those of the recommendation's tables 1 and 2.
    public static func kWeighting(sampleRate: Double) -> [Biquad] {
        // The analogue filters whose bilinear transform at 48 kHz is the recommendation's.
        let (shelf, shelfQ) = (1_681.974_450_955_533, 0.707_175_236_955_419_6)
        let (high, highQ) = (38.135_470_876_024_44, 0.500_327_037_323_877_3)
        var k = tan(.pi * shelf / sampleRate)
        let top = pow(10, 3.999_843_853_973_347 / 20)
        let middle = pow(top, 0.499_666_774_154_541_6)
        var a0 = 1 + k / shelfQ + k * k
        let treble = Biquad(
            b0: (top + middle * k / shelfQ + k * k) / a0, b1: 2 * (k * k - top) / a0,
            b2: (top - middle * k / shelfQ + k * k) / a0, a1: 2 * (k * k - 1) / a0, a2: (1 - k / shelfQ + k * k) / a0)
        k = tan(.pi * high / sampleRate)
        a0 = 1 + k / highQ + k * k
        let bass = Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / highQ + k * k) / a0)
        return [treble, bass]
    }
}
