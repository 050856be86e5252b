// SPDX-License-Identifier: MIT

/// How many values fell under each of some bounds.
struct Histogram: Sendable {
    /// Seconds; what is above the last one is counted in the total only.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count)
    private(set) var total = 0
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
        total += 1
        sum += seconds
        if let index = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts[index] += 1 }
    }

    /// How many values are at most each bound.
    var cumulative: [Int] {
        var count = 0
        return counts.map { next in
            count += next
            return count
        }
    }
}
