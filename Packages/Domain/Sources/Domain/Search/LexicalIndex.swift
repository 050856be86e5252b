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
        var pieces = LexicalPieces()
        for text in texts {
            pieces.read(text)
            for place in pieces.distinct { frequencies[place] += 1 }
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
        let rarities = frequencies.map { log(1 + Double(texts.count) / max(0.5, Double($0))) }
        var pieces = LexicalPieces()
        var wanted = [Double](repeating: 0, count: LexicalPieces.places)
        var length = 0.0
        pieces.read(query)
        for place in pieces.distinct {
            wanted[place] = pieces.weight(place) * rarities[place]
            length += wanted[place] * wanted[place]
        }
        guard length > 0, limit > 0 else { return [] }
        var found: [(index: Int, similarity: Double)] = []
        for (index, text) in texts.enumerated() {
            var (product, square) = (0.0, 0.0)
            pieces.read(text)
            for place in pieces.distinct {
                let weight = pieces.weight(place) * rarities[place]
                square += weight * weight
                product += weight * wanted[place]
            }
            guard product > 0 else { continue }
            let similarity = min(1, product / (length * square).squareRoot())
            if similarity >= least { found.append((index, similarity)) }
        }
        found.sort { $0.similarity == $1.similarity ? $0.index < $1.index : $0.similarity > $1.similarity }
        return Array(found.prefix(limit))
    }
}

/// The places of a text's pieces of words, each with the number of times that the text has it.
struct LexicalPieces {
    /// 2²⁰: the upper 20 bits of a hash are its place.
    static let places = 1 << 20

    /// The places, each once.
    private(set) var distinct: [Int] = []
    private var counts = [UInt16](repeating: 0, count: places)
    /// The word that is being read; it begins with a space.
    private var word: [UInt32] = [space]

    private static let space: UInt32 = 0x20
    /// From here on, writing has a word in one or two signs, and often no spaces.
    private static let ideographs: UInt32 = 0x2E80

    /// The weight of a piece by its number in the text.
    func weight(_ place: Int) -> Double { counts[place] == 1 ? 1 : 1 + log(Double(counts[place])) }

    /// Reads a text in the place of the one before.
    mutating func read(_ text: String) {
        for place in distinct { counts[place] = 0 }
        distinct.removeAll(keepingCapacity: true)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    word.append(UInt32(byte))
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(UInt32(byte | 0x20))
                case UInt8(ascii: "'"): continue
                default: end()
                }
            }
        } else {
            for character in text.lowercased() {
                if let letter = FactQuestion.plain(character) {
                    word.append(contentsOf: letter.unicodeScalars.lazy.map(\.value))
                } else if character != "'", character != "’" {
                    end()
                }
            }
        }
        end()
    }

    /// Adds the pieces of the word, and begins the next one.
    private mutating func end() {
        guard word.count > 1 else { return }
        word.append(Self.space)
        let lengths = word.contains { $0 >= Self.ideographs } ? 2...3 : 3...5
        for start in word.indices {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
            let isFirst = start == 0
            for index in start..<(isFirst ? word.count : min(word.count, start + lengths.upperBound)) {
                hash = (hash ^ UInt64(word[index])) &* 0x100_0000_01B3
                let length = index - start + 1
                guard lengths.contains(length) || (isFirst && length == word.count) else { continue }
                let place = Int(hash >> 44)
                if counts[place] == 0 { distinct.append(place) }
                if counts[place] < .max { counts[place] += 1 }
            }
        }
        word.removeAll(keepingCapacity: true)
        word.append(Self.space)
    }
}
