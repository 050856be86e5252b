// SPDX-License-Identifier: MIT

internal import Glibc

/// The way in which speech ended before a pause: how far its level fell. Pure, a fraction of a millisecond.
///
/// A sentence mostly ends softly; a person who stops in the middle of one holds the voice.
public struct SpeechContour: Sendable, Hashable {
    /// The sound that is looked at: the last second before the pause.
    public static let reach = 16_000

    /// The level of the loudest 20 ms over that of the last 60 ms, in decibels, 0…60.
    public let levelFall: Double

    /// A contour that tells nothing.
    public static let unknown = SpeechContour(levelFall: 0)

    /// Makes a contour from its number.
    public init(levelFall: Double) { self.levelFall = levelFall }

    /// The contour of sound that ends with the last speech, 16 kHz; of more than ``reach`` samples the last ones count.
    public init(of samples: [Float]) {
        let last = samples.suffix(Self.reach).map { $0.isFinite ? $0 : 0 }
        self.init(levelFall: Self.levelFall(of: last))
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
}
