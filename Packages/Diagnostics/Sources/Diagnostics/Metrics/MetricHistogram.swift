// SPDX-License-Identifier: MIT

/// The number of values up to each of some bounds.
public struct MetricHistogram: Sendable {
    /// Bounds for the seconds of a request: from a millisecond to ten seconds.
    public static let requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private let bounds: [Double]
    private var counts: [Int]
    private var total = 0
    private var sum = 0.0

    /// A histogram without values.
    ///
    /// - Parameter bounds: The bounds, in ascending order; a value above the last one is counted in the total only.
    public init(bounds: [Double] = Self.requestSeconds) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count)
    }

    /// Counts a value.
    public mutating func add(_ value: Double) {
        total += 1
        sum += value
        if let index = bounds.firstIndex(where: { value <= $0 }) { counts[index] += 1 }
    }

    /// The samples of a family of the type `histogram`: the number of values that are at most each bound, their sum and number.
    public func samples(labels: [(name: String, value: String)] = []) -> [MetricFamily.Sample] {
        var count = 0
        let buckets = zip(bounds, counts).map { bound, next in
            count += next
            return MetricFamily.Sample(labels + [("le", "\(bound)")], "_bucket", "\(count)")
        }
        return buckets + [
            MetricFamily.Sample(labels + [("le", "+Inf")], "_bucket", "\(total)"),
            MetricFamily.Sample(labels, "_sum", "\(sum)"), MetricFamily.Sample(labels, "_count", "\(total)"),
        ]
    }
}
