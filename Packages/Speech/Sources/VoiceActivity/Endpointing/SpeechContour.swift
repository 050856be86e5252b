// SPDX-License-Identifier: MIT

internal import Glibc

/// The way in which speech ended before a pause: how far its level and its pitch fell. Pure, a fraction of a millisecond.
///
/// A sentence mostly ends low and soft; a person who stops in the middle of one holds both.
public struct SpeechContour: Sendable, Hashable {
    /// The sound that is looked at: the last second before the pause.
    public static let reach = 16_000

    /// The level of the loudest 20 ms over that of the last 60 ms, in decibels, 0…60.
    public let levelFall: Double
    /// The median pitch over the pitch at the end, in semitones, −24…24; positive if it fell. Nil without enough voice.
    public let pitchFall: Double?

    /// A contour that tells nothing.
    public static let unknown = SpeechContour(levelFall: 0, pitchFall: nil)

    /// Makes a contour from its numbers.
    public init(levelFall: Double, pitchFall: Double?) {
        self.levelFall = levelFall
        self.pitchFall = pitchFall
    }

    /// The contour of sound that ends with the last speech, 16 kHz; of more than ``reach`` samples the last ones count.
    public init(of samples: [Float]) {
        let last = samples.suffix(Self.reach).map { $0.isFinite ? $0 : 0 }
        self.init(levelFall: Self.levelFall(of: last), pitchFall: Self.pitchFall(of: last))
    }

    private static func levelFall(of samples: [Float]) -> Double {
        let frame = 320
        let powers = stride(from: samples.count % frame, to: samples.count, by: frame).map { start in
            Double(samples[start..<start + frame].reduce(0) { $0 + $1 * $1 }) / Double(frame)
        }
        guard let loudest = powers.max(), loudest > 0, powers.count >= 3 else { return 0 }
        let end = powers.suffix(3).reduce(0, +) / 3
        return min(60, max(0, 10 * log10(loudest / max(end, loudest * 1e-6))))
    }

    /// The samples that are averaged into one before the pitch is looked for: 4 kHz.
    private static let decimation = 4
    private static let window = 160
    private static let hop = 40
    /// 70 to 400 Hz.
    private static let lags = 10...57
    private static let leastPeriodicity: Float = 0.55
    private static let fewestVoicedFrames = 8

    private static func pitchFall(of samples: [Float]) -> Double? {
        let slow = stride(from: 0, to: samples.count - decimation + 1, by: decimation).map { start in
            samples[start..<start + decimation].reduce(0, +)
        }
        var pitches: [Double] = []
        var start = 0
        while start + window + lags.upperBound <= slow.count {
            if let lag = period(at: start, slow) { pitches.append(1 / lag) }
            start += hop
        }
        guard pitches.count >= fewestVoicedFrames else { return nil }
        let median = pitches.sorted()[pitches.count / 2]
        let end = pitches.suffix(4).reduce(0, +) / 4
        return min(24, max(-24, 12 * log2(median / end)))
    }

    /// The lag at which a window resembles itself best; nil without voice.
    private static func period(at start: Int, _ samples: [Float]) -> Double? {
        var best = (likeness: leastPeriodicity, lag: 0)
        var own: Float = 0
        for index in start..<start + window { own += samples[index] * samples[index] }
        guard own > 0 else { return nil }
        for lag in lags {
            var (product, other): (Float, Float) = (0, 0)
            for index in start..<start + window {
                product += samples[index] * samples[index + lag]
                other += samples[index + lag] * samples[index + lag]
            }
            let likeness = product / max((own * other).squareRoot(), .leastNormalMagnitude)
            // A multiple of the period fits hardly better than the period.
            if likeness > best.likeness + (best.lag == 0 ? 0 : 0.05) { best = (likeness, lag) }
        }
        return best.lag == 0 ? nil : Double(best.lag)
    }
}
