// SPDX-License-Identifier: MIT
internal import Glibc

/// Counts of each loudness from −70 to 30 LUFS, in steps of 0.01 LU, with the powers' own sums.
struct LoudnessHistogram: Sendable {
    private static let lowest = -70.0
    private static let perUnit = 100.0
    private static let size = 10_000

    private var counts = [Int](repeating: 0, count: size)
    private var sums = [Double](repeating: 0, count: size)

    /// −0.691 + 10·log₁₀ of a weighted power.
    static func loudness(_ power: Double) -> Double { power > 0 ? -0.691 + 10 * log10(power) : -.infinity }

    /// Counts `power` when it is above −70 LUFS.
    mutating func add(_ power: Double) {
        let place = (Self.loudness(power) - Self.lowest) * Self.perUnit
        guard place > 0 else { return }
        let step = min(Self.size - 1, Int(place))
        counts[step] += 1
        sums[step] += power
    }

    /// The mean of the powers from `loudness` on; 0 if there are no such powers.
    func meanPower(from loudness: Double) -> Double {
        var (count, sum) = (0, 0.0)
        for step in first(loudness)..<Self.size {
            count += counts[step]
            sum += sums[step]
        }
        return count > 0 ? sum / Double(count) : 0
    }

    /// The distance in LU of two percentiles (0…1) of the values from `loudness` on.
    func spread(from loudness: Double, _ low: Double, _ high: Double) -> Double {
        let start = first(loudness)
        let count = counts[start...].reduce(0, +)
        guard count > 0 else { return 0 }
        func percentile(_ share: Double) -> Int {
            var rest = Int((Double(count - 1) * share).rounded())
            for step in start..<Self.size {
                rest -= counts[step]
                if rest < 0 { return step }
            }
            return Self.size - 1
        }
        return Double(percentile(high) - percentile(low)) / Self.perUnit
    }

    private func first(_ loudness: Double) -> Int {
        min(Self.size - 1, max(0, Int((loudness - Self.lowest) * Self.perUnit)))
    }
}
