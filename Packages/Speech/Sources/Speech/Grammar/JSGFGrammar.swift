// SPDX-License-Identifier: MIT

/// The sentences that a recogniser accepts, as a JSpeech Grammar Format (JSGF 1.0) grammar.
///
/// ```swift
/// let question = JSGFGrammar.Expansion.sequence(["what is the capital of", .rule("state")])
/// let grammar = JSGFGrammar(name: "states", start: question, rules: ["state": .choice(["texas", "new mexico"])])
/// ```
public struct JSGFGrammar: Sendable, Equatable {
    /// A part of a sentence. A string literal is a sequence of its words.
    public indirect enum Expansion: Sendable, Equatable, ExpressibleByStringLiteral {
        /// One word, as the pronouncing dictionary spells it: lower case, no blank.
        case word(String)
        /// One part after another.
        case sequence([Expansion])
        /// One of several, with the weight of each against the others (greater than 0).
        case weighted([(weight: Double, Expansion)])
        /// The part or nothing.
        case optional(Expansion)
        /// The part, any number of times, also zero.
        case repeated(Expansion)
        /// The expansion of the rule of that name.
        case rule(String)

        /// One of several, all equally likely.
        public static func choice(_ alternatives: [Expansion]) -> Expansion {
            .weighted(alternatives.map { (1, $0) })
        }

        /// A sequence of the words of `text`, in lower case, split at blanks.
        public static func words(_ text: String) -> Expansion {
            let words = text.lowercased().split(separator: " ").map { Expansion.word(String($0)) }
            return words.count == 1 ? words[0] : .sequence(words)
        }

        /// See ``words(_:)``.
        public init(stringLiteral value: String) { self = .words(value) }

        /// True if two expansions are written in the same way.
        public static func == (left: Expansion, right: Expansion) -> Bool { left.text == right.text }
    }

    /// The grammar's name: letters, digits and underscores.
    public let name: String
    /// The expansion of a whole utterance.
    public let start: Expansion
    /// The rules that ``Expansion/rule(_:)`` refers to, by name: letters, digits and underscores.
    public let rules: [String: Expansion]

    /// Makes a grammar. A reference to a missing rule, or a rule that refers to itself, is refused by the recogniser.
    public init(name: String, start: Expansion, rules: [String: Expansion] = [:]) {
        self.name = name
        self.start = start
        self.rules = rules
    }

    /// Every word that occurs in the grammar.
    public var words: Set<String> {
        var words = Set<String>()
        start.collectWords(&words)
        for rule in rules.values { rule.collectWords(&words) }
        return words
    }

    /// The grammar in JSGF; the same grammar gives the same text.
    public var text: String {
        var lines = ["#JSGF V1.0;", "grammar \(name);", "public <utterance> = \(start.text);"]
        for (name, rule) in rules.sorted(by: { $0.key < $1.key }) { lines.append("<\(name)> = \(rule.text);") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension JSGFGrammar.Expansion {
    var text: String {
        switch self {
        case .word(let word): word
        case .rule(let name): "<\(name)>"
        case .sequence(let parts): parts.isEmpty ? "<NULL>" : parts.map(\.text).joined(separator: " ")
        case .optional(let part): "[ \(part.text) ]"
        case .repeated(let part): "( \(part.text) ) *"
        case .weighted(let alternatives): Self.text(of: alternatives)
        }
    }

    private static func text(of alternatives: [(weight: Double, Self)]) -> String {
        let weightless = alternatives.allSatisfy { $0.weight == alternatives[0].weight }
        let parts = alternatives.map { weight, part in
            weightless ? part.text : "/\(max(weight, 1e-6))/ ( \(part.text) )"
        }
        return parts.isEmpty ? "<VOID>" : "( " + parts.joined(separator: " | ") + " )"
    }

    fileprivate func collectWords(_ words: inout Set<String>) {
        switch self {
        case .word(let word): words.insert(word)
        case .rule: break
        case .sequence(let parts): for part in parts { part.collectWords(&words) }
        case .optional(let part), .repeated(let part): part.collectWords(&words)
        case .weighted(let alternatives): for (_, part) in alternatives { part.collectWords(&words) }
        }
    }
}
