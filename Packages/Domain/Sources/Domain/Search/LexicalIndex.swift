// SPDX-License-Identifier: MIT

import Glibc

/// Texts that can be searched by likeness, without a model: by the pieces of words that they share.
///
/// Each text is a vector with a component for each piece of a word, 3 to 5 letters long (the spaces before and behind a
/// word are letters of it), and for each whole word. Case and accents are ignored. The weight of a piece that a text has
/// `f` times is `(1 + ln f) · ln(1 + N / n)`, where `n` of the `N` texts have it (tf·idf), and the likeness of two texts
/// is the cosine of the angle between their vectors. So other forms of a word, compounds and slips of the keyboard are
/// found, and synonyms are not.
///
/// Pieces are counted in 2²⁰ places by their hash, so that 100,000 texts take the room of their letters and 4 MB.
public struct LexicalIndex: Sendable {
    private let texts: [String]
    /// The number of texts with a piece, by place.
    private let frequencies: [UInt32]

    /// Counts the pieces of texts.
    public init(_ texts: [String]) {
        self.texts = texts
        var frequencies = [UInt32](repeating: 0, count: LexicalPieces.places)
        for text in texts {
            var last: UInt32?
            for place in LexicalPieces(text).sorted where place != last {
                frequencies[Int(place)] += 1
                last = place
            }
        }
        self.frequencies = frequencies
    }

    /// The texts most like a query, the most like first; of two equally like, the earlier first.
    ///
    /// - Parameters:
    ///   - limit: The most texts to return.
    ///   - least: Texts that are less like it are left out.
    /// - Returns: The indices of the texts, and their likeness, above 0 to 1.
    public func nearest(
        to query: String, limit: Int = 10, least: Double = 0
    ) -> [(index: Int, similarity: Double)] {
        let wanted = Dictionary(uniqueKeysWithValues: weights(of: query))
        let length = wanted.values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 0, limit > 0 else { return [] }
        var found: [(index: Int, similarity: Double)] = []
        for (index, text) in texts.enumerated() {
            var (product, square) = (0.0, 0.0)
            for (place, weight) in weights(of: text) {
                square += weight * weight
                if let other = wanted[place] { product += weight * other }
            }
            guard product > 0 else { continue }
            let similarity = min(1, product / (length * square.squareRoot()))
            if similarity >= least { found.append((index, similarity)) }
        }
        found.sort { $0.similarity == $1.similarity ? $0.index < $1.index : $0.similarity > $1.similarity }
        return Array(found.prefix(limit))
    }

    private func weights(of text: String) -> [(UInt32, Double)] {
        let pieces = LexicalPieces(text).sorted
        var weights: [(UInt32, Double)] = []
        var start = 0
        while start < pieces.count {
            var end = start + 1
            while end < pieces.count, pieces[end] == pieces[start] { end += 1 }
            let texts = max(0.5, Double(frequencies[Int(pieces[start])]))
            let rarity = log(1 + Double(self.texts.count) / texts)
            weights.append((pieces[start], (1 + log(Double(end - start))) * rarity))
            start = end
        }
        return weights
    }
}

/// The places of a text's pieces of words, as often as the text has them.
struct LexicalPieces {
    /// 2²⁰: the upper 20 bits of a hash are its place.
    static let places = 1 << 20

    private(set) var sorted: [UInt32] = []

    init(_ text: String) {
        var word: [UInt32] = [Self.space]
        for character in text.lowercased() {
            if let letter = FactQuestion.plain(character) {
                word.append(contentsOf: letter.unicodeScalars.lazy.map(\.value))
            } else if character != "'", character != "’", word.count > 1 {
                add(word)
                word = [Self.space]
            }
        }
        if word.count > 1 { add(word) }
        sorted.sort()
    }

    private static let space: UInt32 = 0x20
    /// From here on, writing has a word in one or two signs, and often no spaces.
    private static let ideographs: UInt32 = 0x2E80

    /// Adds the pieces of a word that begins with a space.
    private mutating func add(_ word: [UInt32]) {
        let letters = word + [Self.space]
        let lengths = letters.contains { $0 >= Self.ideographs } ? 2...3 : 3...5
        for start in letters.indices {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
            for (offset, letter) in letters[start...].enumerated() {
                hash = (hash ^ UInt64(letter)) &* 0x100_0000_01B3
                let length = offset + 1
                let isWord = start == 0 && length == letters.count && !lengths.contains(length)
                if lengths.contains(length) || isWord { sorted.append(UInt32(truncatingIfNeeded: hash >> 44)) }
                if length == lengths.upperBound, start > 0 { break }
            }
        }
    }
}
