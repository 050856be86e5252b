// SPDX-License-Identifier: MIT

/// The 2,048 English words of BIP-39 (``BIP39WordTable``): a word stands for 11 bits.
enum WordList {
    static let bitCount = 11
    static let count = 1 << bitCount

    private static let words: [String] = BIP39WordTable.text.split(whereSeparator: \.isWhitespace)
        .map(String.init)
    private static let indices = Dictionary(uniqueKeysWithValues: words.enumerated().map { ($1, $0) })

    /// The word that stands for a number below ``count``.
    static func word(at index: Int) -> String { words[index] }

    /// The number of a word in any case, or of the one word that begins with these four letters or more.
    static func index(of text: some StringProtocol) -> Int? {
        let text = text.lowercased()
        if let index = indices[text] { return index }
        guard text.utf8.count >= 4 else { return nil }
        // Four letters belong to one word at most.
        return words.firstIndex { $0.hasPrefix(text) }
    }

    /// The words that a typo may stand for, the nearest first: at most `limit`, and none that differs by more than two
    /// letters put in, left out, replaced or swapped with their neighbour.
    static func nearest(to text: some StringProtocol, limit: Int = 3) -> [String] {
        let text = Array(text.lowercased().unicodeScalars)
        guard text.count <= 12 else { return [] }
        let near = words.compactMap { word -> (distance: Int, word: String)? in
            let distance = distance(text, Array(word.unicodeScalars))
            return distance <= 2 ? (distance, word) : nil
        }
        return near.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(limit).map(\.word)
    }

    /// The edits between two texts (optimal string alignment: Damerau–Levenshtein without edits of a swapped pair).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        guard abs(left.count - right.count) <= 2 else { return 3 }
        var (beforeLast, last) = ([Int](), Array(0...right.count))
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let isEqual = left[row] == right[column]
                var best = min(last[column] + (isEqual ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
