// SPDX-License-Identifier: MIT

/// The lines of two texts, each marked as common, removed or added.
struct TextDifference: Equatable, Sendable {
    /// "  common", "- removed", "+ added"; removed before added.
    let lines: [String]
    /// True if the texts are equal.
    let isEmpty: Bool

    /// The comparison takes time by the square of the lines: longer texts count as wholly different.
    private static let lineLimit = 2_000

    init(from old: String, to new: String) {
        let before = old.split(separator: "\n", omittingEmptySubsequences: false)
        let after = new.split(separator: "\n", omittingEmptySubsequences: false)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        guard max(before.count, after.count) <= Self.lineLimit else {
            isEmpty = before == after
            lines = isEmpty ? after.map { "  \($0)" } : before.map { "- \($0)" } + after.map { "+ \($0)" }
            return
        }
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [String] = []
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            if removed.contains(left) {
                lines.append("- \(before[left])")
                left += 1
            } else if added.contains(right) {
                lines.append("+ \(after[right])")
                right += 1
            } else {
                lines.append("  \(after[right])")
                (left, right) = (left + 1, right + 1)
            }
        }
        self.lines = lines
        isEmpty = removed.isEmpty && added.isEmpty
    }
}
