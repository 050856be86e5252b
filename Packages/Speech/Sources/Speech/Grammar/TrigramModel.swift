// SPDX-License-Identifier: MIT

import Concurrency

/// A trigram model of a grammar's sentences, smoothed by Witten and Bell's method (1991).
///
/// Unlike a network of the grammar it also allows sentences outside the grammar, with a lower score; it needs a
/// twentieth of the memory and a quarter of the time, and it is right more often in noise.
struct TrigramModel {
    private static let sentences = 40_000
    /// The count of a drawn sentence: names are spread evenly over it, which makes it worth several.
    private static let weight = 4.0
    /// The share of all words that is spread evenly over the vocabulary.
    private static let uniformShare = 0.005
    private static let fewestBigrams = 0.05
    private static let fewestTrigrams = 0.4

    private let words: [String]
    private let begin: Int
    private let end: Int
    private var unigrams: [Double]
    private var bigrams: [UInt64: Double] = [:]
    private var trigrams: [UInt64: Double] = [:]

    /// Draws sentences and counts; the same grammar gives the same model.
    init(_ network: GrammarNetwork) {
        words = network.words + ["<s>", "</s>"]
        begin = network.words.count
        end = begin + 1
        unigrams = [Double](repeating: 0, count: words.count)
        // Classes follow the two marks in the windows.
        let firstClass = words.count
        var windows: [UInt64: Double] = [:]
        var generator = SplitMix64(seed: 0x5EED)
        for _ in 0..<Self.sentences {
            let tokens = network.sentence(using: &generator).map { $0 < begin ? $0 : $0 + 2 }
            guard !tokens.isEmpty else { continue }
            var first = Self.none
            var second = begin
            for token in tokens + [end] {
                windows[Self.key(first, second, token), default: 0] += Self.weight
                first = second
                second = token
            }
        }
        // In order, so that rounding is reproducible too.
        for (window, count) in windows.sorted(by: { $0.key < $1.key }) {
            let tokens = Self.tokens(of: window)
            count3(tokens.0, tokens.1, tokens.2, count, network.classes, firstClass)
        }
    }

    // MARK: Counting

    private static let none = (1 << 21) - 1

    private static func key(_ first: Int, _ second: Int, _ third: Int) -> UInt64 {
        UInt64(first) << 42 | UInt64(second) << 21 | UInt64(third)
    }

    private static func tokens(of key: UInt64) -> (Int, Int, Int) {
        (Int(key >> 42), Int(key >> 21) & none, Int(key) & none)
    }

    /// Counts the n-grams that end in the words of the third token.
    private mutating func count3(
        _ first: Int, _ second: Int, _ third: Int, _ count: Double, _ classes: [[GrammarNetwork.Name]],
        _ firstClass: Int
    ) {
        let single = { (token: Int) in [GrammarNetwork.Name(words: token == Self.none ? [] : [token], probability: 1)] }
        let names = { (token: Int) in
            token >= firstClass && token != Self.none ? classes[token - firstClass] : single(token)
        }
        let thirds = names(third)
        let seconds = names(second)
        for name in thirds {
            let own = count * name.probability
            for (index, word) in name.words.enumerated() {
                unigrams[word] += own
                if index >= 1 { bigrams[Self.key(0, name.words[index - 1], word), default: 0] += own }
                if index >= 2 {
                    trigrams[Self.key(name.words[index - 2], name.words[index - 1], word), default: 0] += own
                }
            }
            for before in seconds {
                let pair = own * before.probability
                guard let last = before.words.last, let word = name.words.first else { continue }
                bigrams[Self.key(0, last, word), default: 0] += pair
                if name.words.count > 1 {
                    trigrams[Self.key(last, word, name.words[1]), default: 0] += pair
                }
                if before.words.count > 1 {
                    trigrams[Self.key(before.words[before.words.count - 2], last, word), default: 0] += pair
                } else if first < firstClass || (thirds.count == 1 && seconds.count == 1) {
                    for earlier in names(first) {
                        guard let oldest = earlier.words.last else { continue }
                        trigrams[Self.key(oldest, last, word), default: 0] += pair * earlier.probability
                    }
                }
            }
        }
    }

    // MARK: ARPA

    /// The model in the ARPA format.
    func arpa() -> [UInt8] {
        let pairs = Histories(bigrams.filter { $0.value >= Self.fewestBigrams }, history: { $0 >> 21 })
        let triples = Histories(
            trigrams.filter { entry in
                entry.value >= Self.fewestTrigrams && pairs.counts[entry.key >> 21 & ~(~0 << 42)] != nil
                    && pairs.counts[entry.key & ~(~0 << 42)] != nil
            }, history: { $0 >> 21 })
        let total = unigrams.reduce(0, +)
        let uniform = Self.uniformShare / Double(words.count)
        let single = { (word: Int) in unigrams[word] / total * (1 - Self.uniformShare) + uniform }
        let double = { (key: UInt64) in
            pairs.probability(of: key, lower: single(Int(key) & Self.none))
        }
        var lines = ARPAWriter(capacity: 3_000_000)
        lines.text("\\data\\\nngram 1=\(words.count)\nngram 2=\(pairs.counts.count)\n")
        lines.text("ngram 3=\(triples.counts.count)\n\n\\1-grams:\n")
        for word in words.indices {
            lines.line(word == begin ? 1e-9 : single(word), [words[word]], pairs.backoff(after: UInt64(word)))
        }
        lines.text("\n\\2-grams:\n")
        for key in pairs.counts.keys.sorted() {
            let (_, first, second) = Self.tokens(of: key)
            lines.line(double(key), [words[first], words[second]], triples.backoff(after: key))
        }
        lines.text("\n\\3-grams:\n")
        for key in triples.counts.keys.sorted() {
            let (first, second, third) = Self.tokens(of: key)
            let probability = triples.probability(of: key, lower: double(key & ~(~0 << 42)))
            lines.line(probability, [words[first], words[second], words[third]], nil)
        }
        lines.text("\n\\end\\\n")
        return lines.bytes
    }
}

/// The counts of one order, and the share that their histories leave to the order below.
private struct Histories {
    let counts: [UInt64: Double]
    private var totals: [UInt64: (count: Double, kinds: Double)] = [:]
    private let history: (UInt64) -> UInt64

    init(_ counts: [UInt64: Double], history: @escaping (UInt64) -> UInt64) {
        self.counts = counts
        self.history = history
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
            totals[history(key), default: (0, 0)].count += count
            totals[history(key), default: (0, 0)].kinds += min(1, count)
        }
    }

    func probability(of key: UInt64, lower: Double) -> Double {
        guard let total = totals[history(key)] else { return lower }
        return ((counts[key] ?? 0) + total.kinds * lower) / (total.count + total.kinds)
    }

    func backoff(after history: UInt64) -> Double {
        guard let total = totals[history] else { return 1 }
        return total.kinds / (total.count + total.kinds)
    }
}
