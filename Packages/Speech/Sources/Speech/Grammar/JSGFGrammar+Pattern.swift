// SPDX-License-Identifier: MIT

extension JSGFGrammar.Expansion {
    /// Reads a pattern in JSGF's own notation: `[please] (what is | what's) the capital of <state>`.
    ///
    /// Brackets are optional parts, parentheses group, bars separate alternatives, angle brackets name a rule, and a
    /// star repeats the part before it any number of times. Words become lower case.
    ///
    /// - Throws: ``SpeechError`` with `invalidGrammar` for brackets that do not match and for empty alternatives.
    public init(pattern: String) throws(SpeechError) {
        var reader = PatternReader(pattern)
        self = try reader.alternatives()
        try reader.expectEnd()
    }
}

/// A recursive-descent reader.
private struct PatternReader {
    private let pattern: String
    private var tokens: ArraySlice<String>

    init(_ pattern: String) {
        self.pattern = pattern
        var tokens: [String] = []
        var word = ""
        var isInRule = false
        for character in pattern {
            if character == "<" { isInRule = true }
            if !isInRule, character.isWhitespace || "[]()|*".contains(character) {
                if !word.isEmpty { tokens.append(word) }
                word = ""
                if !character.isWhitespace { tokens.append(String(character)) }
            } else {
                word.append(character)
            }
            if character == ">" { isInRule = false }
        }
        if !word.isEmpty { tokens.append(word) }
        self.tokens = tokens[...]
    }

    mutating func alternatives() throws(SpeechError) -> JSGFGrammar.Expansion {
        var parts = [try sequence()]
        while tokens.first == "|" {
            tokens.removeFirst()
            parts.append(try sequence())
        }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    func expectEnd() throws(SpeechError) {
        if !tokens.isEmpty { throw malformed() }
    }

    private mutating func sequence() throws(SpeechError) -> JSGFGrammar.Expansion {
        var parts: [JSGFGrammar.Expansion] = []
        while let token = tokens.first, !["|", "]", ")"].contains(token) {
            tokens.removeFirst()
            switch token {
            case "[": parts.append(.optional(try closed(by: "]")))
            case "(": parts.append(try closed(by: ")"))
            case "*":
                guard let last = parts.popLast() else { throw malformed() }
                parts.append(.repeated(last))
            default: parts.append(try leaf(token))
            }
        }
        guard !parts.isEmpty else { throw malformed() }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func closed(by bracket: String) throws(SpeechError) -> JSGFGrammar.Expansion {
        let inner = try alternatives()
        guard tokens.popFirst() == bracket else { throw malformed() }
        return inner
    }

    private func leaf(_ token: String) throws(SpeechError) -> JSGFGrammar.Expansion {
        guard token.contains(where: { "<>".contains($0) }) else { return .word(token.lowercased()) }
        let name = token.dropFirst().dropLast()
        guard token.hasPrefix("<"), token.hasSuffix(">"), !name.isEmpty,
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { throw malformed() }
        return .rule(String(name))
    }

    private func malformed() -> SpeechError {
        SpeechError(.invalidGrammar, "The pattern “\(pattern)” cannot be read. Check its brackets and alternatives.")
    }
}
