// SPDX-License-Identifier: MIT

/// The shortest text that a regular expression matches: literals, `.`, classes, groups, `|` and counts. `nil` for an
/// unsupported construct: look-around, references back, properties.
struct PatternSample {
    private var rest: ArraySlice<Character>

    static func text(for pattern: String) -> String? {
        var sample = PatternSample(rest: Array(pattern)[...])
        guard let text = sample.alternatives(), sample.rest.isEmpty else { return nil }
        return text
    }

    private mutating func alternatives() -> String? {
        guard let first = sequence() else { return nil }
        while rest.first == "|" {
            rest.removeFirst()
            guard sequence() != nil else { return nil }
        }
        return first
    }

    private mutating func sequence() -> String? {
        var text = ""
        while let next = rest.first, next != "|", next != ")" {
            if next == "^" || next == "$" {
                rest.removeFirst()
                continue
            }
            guard let unit = unit(), let count = count() else { return nil }
            text += String(repeating: unit, count: count)
        }
        return text
    }

    private mutating func unit() -> String? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "(": return group()
        case "[": return characterClass().map { String($0) }
        case "\\": return escape().map { String($0) }
        case ".": return "a"
        case "*", "+", "?", "{": return nil
        default: return String(next)
        }
    }

    private mutating func group() -> String? {
        if rest.first == "?" {
            guard rest.dropFirst().first == ":" else { return nil }
            rest = rest.dropFirst(2)
        }
        guard let text = alternatives(), rest.popFirst() == ")" else { return nil }
        return text
    }

    private mutating func escape() -> Character? {
        guard let next = rest.popFirst() else { return nil }
        switch next {
        case "d": return "1"
        case "w": return "a"
        case "s": return " "
        case "D", "W", "S": return next == "W" ? "-" : "a"
        case "n": return "\n"
        case "t": return "\t"
        default: return next.isLetter || next.isNumber ? nil : next
        }
    }

    private mutating func characterClass() -> Character? {
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        var members: [ClosedRange<Character>] = []
        while let next = rest.popFirst(), next != "]" || members.isEmpty {
            guard let first = next == "\\" ? escape() : next else { return nil }
            if rest.first == "-", let last = rest.dropFirst().first, last != "]" {
                rest = rest.dropFirst(2)
                guard first <= last else { return nil }
                members.append(first...last)
            } else {
                members.append(first...first)
            }
        }
        guard isNegated else { return members.first?.lowerBound }
        return "aA1 -_.".first { candidate in !members.contains { $0.contains(candidate) } }
    }

    /// The least number of repetitions of the unit before; nil if it is invalid or above 10,000.
    private mutating func count() -> Int? {
        var count = 1
        switch rest.first {
        case "*", "?": count = 0
        case "+": break
        case "{":
            let digits = rest.dropFirst().prefix { $0.isNumber }
            guard let least = Int(String(digits)), least <= 10_000, let end = rest.firstIndex(of: "}") else {
                return nil
            }
            count = least
            rest = rest[end...]
        default: return 1
        }
        rest.removeFirst()
        if rest.first == "?" { rest.removeFirst() }
        return count
    }
}
