// SPDX-License-Identifier: MIT

/// The Damerau-Levenshtein distance in its restricted form (optimal string alignment): insertions, deletions,
/// substitutions and swaps of neighbours, no letter edited twice.
enum EditDistance {
    /// The number of edits between two words of ASCII letters, or `nil` when it is above `limit`.
    static func between(_ left: [UInt8], _ right: [UInt8], limit: Int) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        if left == right { return 0 }
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        guard limit > 0 else { return nil }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        var row = last
        for i in 1...left.count {
            row[0] = i
            var smallest = i
            for j in 1...right.count {
                var cost = last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
                cost = min(cost, last[j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                    cost = min(cost, beforeLast[j - 2] + 1)
                }
                row[j] = cost
                smallest = min(smallest, cost)
            }
            if smallest > limit { return nil }
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        let distance = last[right.count]
        return distance <= limit ? distance : nil
    }
}
