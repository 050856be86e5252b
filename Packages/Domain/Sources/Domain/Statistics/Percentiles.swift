// SPDX-License-Identifier: MIT

/// Percentiles of durations by the nearest-rank method: the p-th is the smallest of the values that at least p percent
/// of them do not exceed. Each is one of the values; nothing is estimated.
public struct Percentiles: Sendable, Hashable {
    /// The values, ascending; at least one.
    private let sorted: [Duration]

    /// The percentiles of these durations; nil for none.
    public init?(_ durations: [Duration]) {
        guard !durations.isEmpty else { return nil }
        sorted = durations.sorted()
    }

    /// The number of durations.
    public var count: Int { sorted.count }

    /// A percentile.
    ///
    /// - Parameter percent: From 1 to 100; others count as the nearest of these.
    public func value(_ percent: Int) -> Duration {
        // The rank is ⌈p/100 · n⌉, in whole numbers.
        let rank = (min(max(percent, 1), 100) * sorted.count + 99) / 100
        return sorted[rank - 1]
    }
}
