// SPDX-License-Identifier: MIT

/// A language model for a reader of a known text: a trigram model with back-off, computed and not counted.
///
/// After two words of the text its next word is almost certain, the word after that is possible, and the rest is shared
/// by all others: any word of the text (a reader goes back, or leaves out a line), frequent words and words that sound
/// alike, and single phones for unknown words.
struct ReadingLanguageModel {
    /// The shares of the probabilities.
    struct Shares: Sendable {
        /// The share of the next word of the text, after two words.
        var next = 0.90
        /// The share of the word behind the next one, after two words.
        var skipped = 0.03
        /// The score of each word that sounds nearly like the next one, in its place. It is not a share: the decoder
        /// weighs language so heavily that the sum of all may exceed 1.
        var near = 0.06
        /// The same for words that are not frequent.
        var rareNear = 0.04
        /// The share of the text's words among all words, evenly.
        var text = 0.60
        /// The share of single phones among all words, evenly.
        var phones = 0.02
        /// The share of the end among all words.
        var end = 0.05
    }

    /// The text, as indices of `vocabulary`.
    private let text: [Int]
    private let vocabulary: [String]
    private let unigrams: [Double]
    /// For words of the text, the words that sound nearly alike.
    private let near: [Int: [(word: Int, isFrequent: Bool)]]
    private let shares: Shares

    /// - Parameters:
    ///   - text: The words to be read, in order.
    ///   - others: Other words with their likelihood among themselves.
    ///   - near: For words of the text, the other words that sound nearly alike.
    ///   - phones: The names of single phones.
    init(
        text words: [String], others: [(word: String, weight: Double)], near: [String: [ReadingVocabulary.Neighbour]],
        phones: [String],
        shares: Shares
    ) {
        var numbers: [String: Int] = [:]
        var vocabulary: [String] = []
        for word in words where numbers[word] == nil {
            numbers[word] = vocabulary.count
            vocabulary.append(word)
        }
        let own = vocabulary.count
        let total = others.reduce(0) { $0 + $1.weight }
        let rest = 1 - shares.text - shares.phones - shares.end
        var unigrams = [Double](repeating: shares.text / Double(max(1, own)), count: own)
        for (word, weight) in others where numbers[word] == nil {
            numbers[word] = vocabulary.count
            vocabulary.append(word)
            unigrams.append(rest * weight / total)
        }
        for phone in phones {
            vocabulary.append(phone)
            unigrams.append(shares.phones / Double(phones.count))
        }
        text = words.compactMap { numbers[$0] }
        self.vocabulary = vocabulary + ["<s>", "</s>"]
        self.unigrams = unigrams + [1e-9, shares.end]
        self.near = Dictionary(
            uniqueKeysWithValues: near.compactMap { word, others in
                numbers[word].map {
                    ($0, others.compactMap { other in numbers[other.word].map { ($0, other.isFrequent) } })
                }
            })
        self.shares = shares
    }

    /// The model in the ARPA format.
    func arpa() -> [UInt8] {
        let (begin, end) = (vocabulary.count - 2, vocabulary.count - 1)
        let line = [begin] + text + [end]
        var pairs = Successors()
        var triples = Successors()
        for place in 1..<line.count {
            pairs.add(line[place], after: [line[place - 1]], weight: shares.next)
            if place >= 2 { triples.add(line[place], after: [line[place - 2], line[place - 1]], weight: shares.next) }
            guard place + 1 < line.count else { continue }
            pairs.add(line[place + 1], after: [line[place - 1]], weight: shares.skipped)
            if place >= 2 {
                triples.add(line[place + 1], after: [line[place - 2], line[place - 1]], weight: shares.skipped)
            }
        }
        // A part that was decoded separately may begin anywhere in the text.
        for word in Set(text) where word != text.first {
            pairs.add(word, after: [begin], weight: shares.next / Double(text.count))
        }
        // If a word was left out, its neighbours follow each other, and then the text continues.
        for place in 2..<max(2, line.count - 1) {
            triples.add(line[place + 1], after: [line[place - 2], line[place]], weight: shares.next)
        }
        for place in 1..<(line.count - 1) {
            for (other, isFrequent) in near[line[place]] ?? [] {
                let likelihood = isFrequent ? shares.near : shares.rareNear
                pairs.allow(other, after: [line[place - 1]], likelihood: likelihood)
                pairs.allow(line[place + 1], after: [other], likelihood: shares.next)
                triples.allow(line[place + 1], after: [line[place - 1], other], likelihood: shares.next)
                if place >= 2 {
                    triples.allow(other, after: [line[place - 2], line[place - 1]], likelihood: likelihood)
                }
            }
        }
        let probability = { (word: Int) in unigrams[word] }
        let second = pairs.probabilities(share: shares.next + shares.skipped, below: { probability($1) })
        let third = triples.probabilities(share: shares.next + shares.skipped) { history, word in
            second.values[[history[1]]]?[word] ?? (second.backoffs[[history[1]]] ?? 1) * probability(word)
        }
        var out = ARPAWriter()
        let count = (second.values.values.reduce(0) { $0 + $1.count }, third.values.values.reduce(0) { $0 + $1.count })
        out.text("\\data\\\nngram 1=\(vocabulary.count)\nngram 2=\(count.0)\nngram 3=\(count.1)\n\n\\1-grams:\n")
        for word in vocabulary.indices {
            out.line(unigrams[word], [vocabulary[word]], second.backoffs[[word]] ?? 1)
        }
        out.text("\n\\2-grams:\n")
        for history in second.values.keys.sorted(by: { $0[0] < $1[0] }) {
            for (word, value) in (second.values[history] ?? [:]).sorted(by: { $0.key < $1.key }) {
                out.line(value, [vocabulary[history[0]], vocabulary[word]], third.backoffs[[history[0], word]] ?? 1)
            }
        }
        out.text("\n\\3-grams:\n")
        for history in third.values.keys.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
            for (word, value) in (third.values[history] ?? [:]).sorted(by: { $0.key < $1.key }) {
                out.line(value, [vocabulary[history[0]], vocabulary[history[1]], vocabulary[word]], nil)
            }
        }
        out.text("\n\\end\\\n")
        return out.bytes
    }
}

/// The weighted successors of each history.
private struct Successors {
    private var weights: [[Int]: [Int: Double]] = [:]
    private var allowed: [[Int]: [Int: Double]] = [:]

    mutating func add(_ word: Int, after history: [Int], weight: Double) {
        weights[history, default: [:]][word, default: 0] += weight
    }

    /// Gives `word` at least this likelihood, in addition to the other successors.
    mutating func allow(_ word: Int, after history: [Int], likelihood: Double) {
        allowed[history, default: [:]][word] = likelihood
    }

    /// The weights of each history scaled to a sum of at most `share`, and the factors by which the order below gives
    /// its other words' probabilities.
    func probabilities(
        share: Double, below: (_ history: [Int], _ word: Int) -> Double
    ) -> (values: [[Int]: [Int: Double]], backoffs: [[Int]: Double]) {
        var values: [[Int]: [Int: Double]] = [:]
        var backoffs: [[Int]: Double] = [:]
        for (history, words) in weights {
            let sum = words.values.reduce(0, +)
            let scaled = words.mapValues { $0 * min(1, share / sum) }
            let covered = words.keys.sorted().reduce(0) { $0 + below(history, $1) }
            values[history] = scaled
            backoffs[history] = max(1e-6, (1 - min(share, sum)) / max(1e-6, 1 - covered))
        }
        for (history, words) in allowed {
            values[history, default: [:]].merge(words) { max($0, $1) }
            if backoffs[history] == nil { backoffs[history] = 1 - share }
        }
        return (values, backoffs)
    }
}
