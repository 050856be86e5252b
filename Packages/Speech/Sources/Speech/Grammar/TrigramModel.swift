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
    private var bigrams = CountTable(bits: 16)
    private var trigrams = CountTable(bits: 18)

    /// Draws sentences and counts; the same grammar gives the same model.
    init(_ network: GrammarNetwork) {
        words = network.words + ["<s>", "</s>"]
        begin = network.words.count
        end = begin + 1
        unigrams = [Double](repeating: 0, count: words.count)
        // Classes follow the two marks in the windows.
        let firstClass = words.count
        var windows = CountTable(bits: 16)
        var generator = SplitMix64(seed: 0x5EED)
        for _ in 0..<Self.sentences {
            let tokens = network.sentence(using: &generator).map { $0 < begin ? $0 : $0 + 2 }
            guard !tokens.isEmpty else { continue }
            var first = Self.none
            var second = begin
            for token in tokens + [end] {
                windows.add(Self.weight, to: Self.key(first, second, token))
                first = second
                second = token
            }
        }
        // In order, so that rounding is reproducible too.
        for (window, count) in windows.sorted() {
            let tokens = Self.tokens(of: window)
            count3(tokens.0, tokens.1, tokens.2, count, network.classes, firstClass)
        }
    }

    // MARK: Counting

    private static let none = (1 << 21) - 1
    /// The bits of the last two words.
    private static let pair: UInt64 = (1 << 42) - 1

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
                if index >= 1 { bigrams.add(own, to: Self.key(0, name.words[index - 1], word)) }
                if index >= 2 {
                    trigrams.add(own, to: Self.key(name.words[index - 2], name.words[index - 1], word))
                }
            }
            for before in seconds {
                let pair = own * before.probability
                guard let last = before.words.last, let word = name.words.first else { continue }
                bigrams.add(pair, to: Self.key(0, last, word))
                if name.words.count > 1 {
                    trigrams.add(pair, to: Self.key(last, word, name.words[1]))
                }
                if before.words.count > 1 {
                    trigrams.add(pair, to: Self.key(before.words[before.words.count - 2], last, word))
                } else if first < firstClass || (thirds.count == 1 && seconds.count == 1) {
                    for earlier in names(first) {
                        guard let oldest = earlier.words.last else { continue }
                        trigrams.add(pair * earlier.probability, to: Self.key(oldest, last, word))
                    }
                }
            }
        }
    }

    // MARK: ARPA

    /// The model in the ARPA format.
    func arpa() -> [UInt8] {
        let pairs = Histories(bigrams.sorted { $1 >= Self.fewestBigrams })
        let triples = Histories(
            trigrams.sorted {
                $1 >= Self.fewestTrigrams
                    && pairs.counts[$0 >> 21 & Self.pair] != nil && pairs.counts[$0 & Self.pair] != nil
            })
        let total = unigrams.reduce(0, +)
        let uniform = Self.uniformShare / Double(words.count)
        let single = { (word: Int) in unigrams[word] / total * (1 - Self.uniformShare) + uniform }
        let double = { (key: UInt64) in
            pairs.probability(of: key, lower: single(Int(key) & Self.none))
        }
        var lines = ARPAWriter(capacity: 3_000_000)
        lines.text("\\data\\\nngram 1=\(words.count)\nngram 2=\(pairs.entries.count)\n")
        lines.text("ngram 3=\(triples.entries.count)\n\n\\1-grams:\n")
        for word in words.indices {
            lines.line(word == begin ? 1e-9 : single(word), [words[word]], pairs.backoff(after: UInt64(word)))
        }
        lines.text("\n\\2-grams:\n")
        for (key, _) in pairs.entries {
            let (_, first, second) = Self.tokens(of: key)
            lines.line(double(key), [words[first], words[second]], triples.backoff(after: key))
        }
        lines.text("\n\\3-grams:\n")
        for (key, _) in triples.entries {
            let (first, second, third) = Self.tokens(of: key)
            let probability = triples.probability(of: key, lower: double(key & Self.pair))
            lines.line(probability, [words[first], words[second], words[third]], nil)
        }
        lines.text("\n\\end\\\n")
        return lines.bytes
    }
}

/// The counts of one order, and the share that their histories leave to the order below.
private struct Histories {
    /// In the order of the keys, whose upper bits are the history.
    let entries: [(key: UInt64, sum: Double)]
    let counts: CountTable
    private let totals: CountTable
    private let kinds: CountTable

    init(_ entries: [(key: UInt64, sum: Double)]) {
        self.entries = entries
        var (counts, totals, kinds) = (CountTable(bits: 16), CountTable(), CountTable())
        for (key, count) in entries {
            counts.add(count, to: key)
            totals.add(count, to: key >> 21)
            kinds.add(min(1, count), to: key >> 21)
        }
        (self.counts, self.totals, self.kinds) = (counts, totals, kinds)
    }

    func probability(of key: UInt64, lower: Double) -> Double {
        guard let total = totals[key >> 21], let kinds = kinds[key >> 21] else { return lower }
        return ((counts[key] ?? 0) + kinds * lower) / (total + kinds)
    }

    func backoff(after history: UInt64) -> Double {
        guard let total = totals[history], let kinds = kinds[history] else { return 1 }
        return kinds / (total + kinds)
    }
}
