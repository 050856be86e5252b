// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import LocalIntents

/// The recogniser's grammar and the reader are one table: each sentence of the first is understood by the second.
@Suite struct GrammarTests {
    private let grammar = IntentGrammar()
    private let reader = IntentReader()

    /// Makes random sentences of patterns.
    private struct Speaker {
        let rules: [String: PhrasePattern]
        var generator: SeededGenerator

        mutating func sentence(of pattern: PhrasePattern) -> [String] {
            switch pattern {
            case .word(let word): return [word]
            case .sequence(let parts): return parts.flatMap { sentence(of: $0) }
            case .choice(let parts): return parts.randomElement(using: &generator).map { sentence(of: $0) } ?? []
            case .optional(let part): return Bool.random(using: &generator) ? sentence(of: part) : []
            case .rule(let name): return rules[name].map { sentence(of: $0) } ?? ["<\(name)>"]
            }
        }
    }

    private func speaker(seed: UInt64) -> Speaker {
        Speaker(rules: grammar.rules.compactMapValues { PhrasePattern($0) }, generator: SeededGenerator(seed: seed))
    }

    @Test func `each rule is a pattern over rules that exist`() {
        for (name, text) in grammar.rules {
            guard let pattern = PhrasePattern(text) else {
                Issue.record("\(name) is malformed")
                continue
            }
            for rule in Self.rules(in: pattern) { #expect(grammar.rules[rule] != nil, "\(name) needs \(rule)") }
        }
        for text in [grammar.opening, grammar.closing] { #expect(PhrasePattern(text) != nil) }
    }

    private static func rules(in pattern: PhrasePattern) -> [String] {
        switch pattern {
        case .word: []
        case .rule(let name): [name]
        case .sequence(let parts), .choice(let parts): parts.flatMap { rules(in: $0) }
        case .optional(let part): rules(in: part)
        }
    }

    @Test func `every intent has sentences`() {
        #expect(Set(grammar.sentences.map(\.kind)) == Set(LocalIntent.Kind.allCases))
        #expect(grammar.sentences.allSatisfy { $0.weight > 0 })
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `every sentence is read as its intent`(seed: UInt64) throws {
        var speaker = speaker(seed: seed)
        var wrong: [String] = []
        var count = 0
        for sentence in grammar.sentences {
            let pattern = try #require(PhrasePattern(sentence.pattern), "\(sentence.pattern)")
            for _ in 0..<40 {
                let text = speaker.sentence(of: pattern).joined(separator: " ")
                let reading = reader.read(text)
                count += 1
                if reading?.kind != sentence.kind {
                    wrong.append("\(sentence.kind): \(text) → \(reading.map { "\($0.intent)" } ?? "nil")")
                }
            }
        }
        #expect(wrong.isEmpty, "seed \(seed), \(wrong.count) of \(count):\n\(wrong.prefix(60).joined(separator: "\n"))")
    }

    @Test func `polite words change nothing but the confidence`() throws {
        var speaker = speaker(seed: 4)
        let opening = try #require(PhrasePattern(grammar.opening))
        let closing = try #require(PhrasePattern(grammar.closing))
        var wrong: [String] = []
        for sentence in grammar.sentences {
            let pattern = try #require(PhrasePattern(sentence.pattern))
            for _ in 0..<10 {
                let text = speaker.sentence(of: pattern).joined(separator: " ")
                let polite =
                    (speaker.sentence(of: opening) + [text] + speaker.sentence(of: closing)).joined(separator: " ")
                let reading = reader.read(polite)
                if reading?.kind != sentence.kind || (reading?.confidence ?? 1) > 0.98 {
                    wrong.append("\(sentence.kind): \(polite) → \(reading.map { "\($0.intent)" } ?? "nil")")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count):\n\(wrong.prefix(40).joined(separator: "\n"))")
    }
}
