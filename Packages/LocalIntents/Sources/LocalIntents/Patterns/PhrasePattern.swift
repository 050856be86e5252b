// SPDX-License-Identifier: MIT

/// A pattern of phrases in the notation of JSGF: brackets are optional parts, parentheses group, bars separate
/// alternatives, angle brackets name a rule or a slot.
indirect enum PhrasePattern: Sendable, Equatable {
    case word(String)
    case sequence([PhrasePattern])
    case choice([PhrasePattern])
    case optional(PhrasePattern)
    case rule(String)

    /// Collects the words of the pattern itself, without those of its rules.
    func collectWords(_ words: inout Set<String>) {
        switch self {
        case .word(let word): words.insert(word)
        case .sequence(let parts), .choice(let parts): for part in parts { part.collectWords(&words) }
        case .optional(let part): part.collectWords(&words)
        case .rule: break
        }
    }

    /// Reads a pattern; nil if its brackets do not match or an alternative is empty.
    init?(_ text: String) {
        var reader = PatternReader(text)
        guard let pattern = reader.alternatives(), reader.isAtEnd else { return nil }
        self = pattern
    }
}

/// A recursive-descent reader.
private struct PatternReader {
    private var pieces: ArraySlice<Substring>

    var isAtEnd: Bool { pieces.isEmpty }

    init(_ text: String) {
        var pieces: [Substring] = []
        var start: String.Index?
        let bytes = text.utf8
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"):
                if let begin = start { pieces.append(text[begin..<index]) }
                start = nil
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"):
                if let begin = start { pieces.append(text[begin..<index]) }
                start = nil
                pieces.append(text[index...index])
            default:
                if start == nil { start = index }
            }
        }
        if let begin = start { pieces.append(text[begin...]) }
        self.pieces = pieces[...]
    }

    mutating func alternatives() -> PhrasePattern? {
        guard let first = sequence() else { return nil }
        var parts = [first]
        while pieces.first == "|" {
            pieces.removeFirst()
            guard let next = sequence() else { return nil }
            parts.append(next)
        }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() -> PhrasePattern? {
        var parts: [PhrasePattern] = []
        while let piece = pieces.first, piece != "|", piece != "]", piece != ")" {
            pieces.removeFirst()
            switch piece {
            case "[":
                guard let inner = closed(by: "]") else { return nil }
                parts.append(.optional(inner))
            case "(":
                guard let inner = closed(by: ")") else { return nil }
                parts.append(inner)
            case _ where piece.hasPrefix("<"): parts.append(.rule(String(piece.dropFirst().dropLast())))
            default:
                // The texts that are matched have contractions in full.
                let words = TokenTable.contractions[String(piece)]?.split(separator: " ") ?? [piece]
                parts += words.map { .word(String($0)) }
            }
        }
        guard !parts.isEmpty else { return nil }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func closed(by bracket: Substring) -> PhrasePattern? {
        guard let inner = alternatives(), pieces.popFirst() == bracket else { return nil }
        return inner
    }
}
