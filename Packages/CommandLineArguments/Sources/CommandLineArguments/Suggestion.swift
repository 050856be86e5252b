// SPDX-License-Identifier: MIT

/// The word that was probably meant.
public struct Suggestion: Sendable {
    /// The nearest candidate; nil if none is near enough.
    public let word: String?

    /// Looks for the nearest candidate: at most one edit for every three letters (at least one), or one that starts
    /// with the word.
    public init(for word: String, among candidates: [String]) {
        let limit = max(1, word.count / 3)
        let nearest = candidates.map { (candidate: $0, edits: Self.edits(from: word, to: $0)) }
            .min { $0.edits < $1.edits }
        // Of a word whose every letter differs nothing is left.
        if let nearest, nearest.edits <= limit, nearest.edits < max(word.count, nearest.candidate.count) {
            self.word = nearest.candidate
        } else {
            self.word = word.count >= 3 ? candidates.first { $0.hasPrefix(word) } : nil
        }
    }

    /// " Did you mean …?", or an empty text.
    public var text: String { sentence.map { " " + $0.english } ?? "" }

    /// "Did you mean …?".
    var sentence: UsageText? { word.map { UsageText(.suggestion, ["word": $0]) } }

    /// The number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment distance).
    static func edits(from left: String, to right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var rows = [Array(0...right.count)]
        for row in 1...max(1, left.count) where row <= left.count {
            var current = [row]
            for column in 1...max(1, right.count) where column <= right.count {
                let same = left[row - 1] == right[column - 1]
                var best = min(
                    rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (same ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
