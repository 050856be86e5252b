// SPDX-License-Identifier: MIT

/// A grammar with its words and rules as numbers, from which sentences are drawn.
///
/// A rule that consists only of a long list of names becomes a class: it is drawn as one token, and its names share its
/// counts evenly later on.
struct GrammarNetwork {
    struct Name {
        let words: [Int]
        let probability: Double
    }

    /// Words first, then classes.
    private(set) var words: [String] = []
    private(set) var classes: [[Name]] = []

    private enum Node {
        case word(Int)
        case category(Int)
        case sequence([Int])
        case choice(nodes: [Int], cumulative: [Double])
        case optional(Int)
        case repeated(Int)
    }

    /// Rules with fewer names than this are drawn word by word.
    private static let smallestClass = 8
    /// The probability of an optional part, and of each further repetition of a repeated one.
    private static let optionalShare = 0.35

    private var nodes: [Node] = []
    private var start = 0
    private var wordNumbers: [String: Int] = [:]
    private var ruleNodes: [String: Int] = [:]

    /// - Throws: ``SpeechError`` with `invalidGrammar` for missing and recursive rules.
    init(_ grammar: JSGFGrammar, otherWords: Set<String>) throws(SpeechError) {
        for word in grammar.words.union(otherWords).sorted() {
            wordNumbers[word] = words.count
            words.append(word)
        }
        start = try add(grammar.start, grammar, path: [])
    }

    /// Draws one sentence; tokens from `words.count` on are classes.
    func sentence(using generator: inout some RandomNumberGenerator) -> [Int] {
        var tokens: [Int] = []
        draw(start, &tokens, &generator)
        return tokens
    }

    private func draw(_ index: Int, _ tokens: inout [Int], _ generator: inout some RandomNumberGenerator) {
        switch nodes[index] {
        case .word(let word): tokens.append(word)
        case .category(let category): tokens.append(words.count + category)
        case .sequence(let parts): for part in parts { draw(part, &tokens, &generator) }
        case .optional(let part):
            if Self.number(below: 1, &generator) < Self.optionalShare { draw(part, &tokens, &generator) }
        case .repeated(let part):
            while tokens.count < 40, Self.number(below: 1, &generator) < Self.optionalShare {
                draw(part, &tokens, &generator)
            }
        case .choice(let parts, let cumulative):
            let value = Self.number(below: cumulative.last ?? 1, &generator)
            draw(parts[cumulative.firstIndex { value < $0 } ?? parts.count - 1], &tokens, &generator)
        }
    }

    /// `Double.random(in:using:)`, the same numbers: the standard library's is slow, since it is not compiled for the type.
    static func number(below limit: Double, _ generator: inout some RandomNumberGenerator) -> Double {
        while true {
            let number = limit * (Double(generator.next() & (1 << 53 - 1)) * 0x1p-53)
            if number < limit { return number }
        }
    }

    private mutating func add(
        _ expansion: JSGFGrammar.Expansion, _ grammar: JSGFGrammar, path: [String]
    ) throws(SpeechError) -> Int {
        let node: Node
        switch expansion {
        case .word(let word): node = .word(wordNumbers[word] ?? 0)
        case .optional(let part): node = .optional(try add(part, grammar, path: path))
        case .repeated(let part): node = .repeated(try add(part, grammar, path: path))
        case .rule(let name): return try rule(name, grammar, path: path)
        case .sequence(let parts):
            var indices: [Int] = []
            for part in parts { indices.append(try add(part, grammar, path: path)) }
            node = .sequence(indices)
        case .weighted(let alternatives):
            guard alternatives.contains(where: { $0.weight > 0 }) else {
                throw SpeechError(
                    .invalidGrammar, "The grammar \(grammar.name) has a choice without alternatives. Give it one.")
            }
            var indices: [Int] = []
            var cumulative: [Double] = []
            for (weight, part) in alternatives {
                indices.append(try add(part, grammar, path: path))
                cumulative.append((cumulative.last ?? 0) + max(0, weight))
            }
            node = .choice(nodes: indices, cumulative: cumulative)
        }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func rule(_ name: String, _ grammar: JSGFGrammar, path: [String]) throws(SpeechError) -> Int {
        if let known = ruleNodes[name] { return known }
        guard let expansion = grammar.rules[name], !path.contains(name) else {
            throw SpeechError(
                .invalidGrammar,
                "The rule <\(name)> of the grammar \(grammar.name) is missing or refers to itself. Write it out.")
        }
        let index: Int
        if let names = names(expansion, probability: 1), names.count >= Self.smallestClass {
            classes.append(names)
            nodes.append(.category(classes.count - 1))
            index = nodes.count - 1
        } else {
            index = try add(expansion, grammar, path: path + [name])
        }
        ruleNodes[name] = index
        return index
    }

    /// The expansion as a flat list of names; nil if it is more complex.
    private func names(_ expansion: JSGFGrammar.Expansion, probability: Double) -> [Name]? {
        switch expansion {
        case .word(let word): return [Name(words: [wordNumbers[word] ?? 0], probability: probability)]
        case .optional, .repeated, .rule: return nil
        case .sequence(let parts):
            var words: [Int] = []
            for part in parts {
                guard case .word(let word) = part else { return nil }
                words.append(wordNumbers[word] ?? 0)
            }
            return words.isEmpty ? nil : [Name(words: words, probability: probability)]
        case .weighted(let alternatives):
            let sum = alternatives.reduce(0) { $0 + max(0, $1.weight) }
            var all: [Name] = []
            for (weight, part) in alternatives where weight > 0 {
                guard let some = names(part, probability: probability * weight / sum) else { return nil }
                all += some
            }
            return all
        }
    }
}
