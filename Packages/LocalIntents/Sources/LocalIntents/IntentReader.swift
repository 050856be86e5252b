// SPDX-License-Identifier: MIT

/// Reads intents and their entities from texts, in English: no I/O, no clock, no network.
///
/// A text has an intent if one of the intent's phrases accounts for all of it, after polite words at its ends. So
/// most texts have none, and are another reader's.
public struct IntentReader: Sendable {
    /// The most Unicode scalars that are read; a longer text has no intent.
    public static let textLimit = TextTokeniser.scalarLimit

    private struct Phrase: Sendable {
        let row: PhraseTable.Row
        let program: PatternProgram
    }

    private let phrases: [Phrase]
    private let opening: PatternProgram
    private let closings: [[String]]
    private let units = UnitTable()
    private let vocabulary: Set<String>

    /// Makes a reader, which compiles the phrases.
    public init() {
        let rules = Self.patterns(PhraseRuleTable.rules)
        var words: Set<String> = []
        for rule in rules.values { rule.collectWords(&words) }
        phrases = PhraseTable.rows.map { row in
            let pattern = Self.pattern(row.pattern)
            pattern.collectWords(&words)
            return Phrase(row: row, program: PatternProgram(pattern, rules: rules))
        }
        let opening = Self.pattern(PhraseRuleTable.opening)
        opening.collectWords(&words)
        self.opening = PatternProgram(opening, rules: rules)
        vocabulary = words
        closings = PhraseRuleTable.closing.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
            .sorted { $0.count > $1.count }
    }

    /// The most likely intent of a text, with the alternatives; nil if no intent claims it.
    ///
    /// The time is bounded for any text: one that is longer than ``textLimit`` or has control characters is refused, and
    /// another takes steps in proportion to its words.
    public func read(_ text: String) -> IntentReading? { readWhole(text) ?? readClause(of: text) }

    /// Orders to a device, which stay what they are beside another clause: "cancel my alarm, I am already up".
    private static let orders: Set<LocalIntent.Kind> = [
        .setTimer, .cancelTimer, .setAlarm, .cancelAlarm, .raiseVolume, .lowerVolume, .setVolume, .mute, .unmute,
        .repeatAnswer, .stop, .speakSlower, .speakFaster,
    ]
    /// Words at the beginning of a clause that may be a question or an order of its own.
    private static let questions: Set<String> = [
        "what", "who", "when", "where", "why", "how", "which", "is", "are", "was", "do", "does", "did", "can", "could",
        "will", "would", "tell", "show", "give", "find", "explain", "write", "translate", "and", "or", "then", "but",
    ]
    private static let mostClauses = 4

    /// The order in one clause of a text whose other clauses give no order and ask nothing.
    private func readClause(of text: String) -> IntentReading? {
        guard text.utf8.count <= Self.textLimit * 4 else { return nil }
        let clauses = Self.clauses(of: text)
        guard (2...Self.mostClauses).contains(clauses.count) else { return nil }
        var found: (reading: IntentReading, clause: Substring)?
        for clause in clauses {
            guard let reading = readWhole(String(clause)) else {
                guard let first = TextTokeniser.tokens(of: String(clause))?.first, !Self.questions.contains(first.text)
                else { return nil }
                continue
            }
            // An order without its time would take the time of the other clause to be nothing.
            guard Self.orders.contains(reading.kind),
                ![.setTimer(nil, label: nil), .setAlarm(nil, label: nil)].contains(reading.intent),
                found.map({ $0.reading.intent == reading.intent }) ?? true
            else {
                return nil
            }
            found = found ?? (reading, clause)
        }
        guard let (reading, clause) = found else { return nil }
        let start = text.utf8.distance(from: text.startIndex, to: clause.startIndex)
        return reading.moved(by: start, confidence: reading.confidence - 0.15)
    }

    /// The parts of a text between its signs of punctuation, without those that have no letters. "0.5" is no end of one.
    private static func clauses(of text: String) -> [Substring] {
        var clauses: [Substring] = []
        var start = text.startIndex
        for index in text.indices where ",.!?;".contains(text[index]) {
            let next = text.index(after: index)
            let isInNumber =
                index > start && text[text.index(before: index)].isNumber && next < text.endIndex && text[next].isNumber
            guard !isInNumber else { continue }
            clauses.append(text[start..<index])
            start = next
        }
        return (clauses + [text[start...]]).filter { $0.contains { $0.isLetter } }
    }

    private func readWhole(_ text: String) -> IntentReading? {
        guard let tokens = TextTokeniser.tokens(of: text), !tokens.isEmpty else { return nil }
        var matcher = PatternMatcher(tokens, slots: SlotReader(text: text, units: units), vocabulary: vocabulary)
        let ways = self.ways(tokens, &matcher)
        for mayMisspell in [false, true] {
            for way in ways {
                let found = readings(text, tokens, way, &matcher, mayMisspell: mayMisspell)
                if var best = found.first {
                    best.alternatives = found.dropFirst().filter { $0.confidence >= best.confidence - 0.25 }
                    return best
                }
            }
        }
        return nil
    }

    private func readings(
        _ text: String, _ tokens: [TextToken], _ way: (range: Range<Int>, fillers: Int),
        _ matcher: inout PatternMatcher,
        mayMisspell: Bool
    ) -> [IntentReading] {
        var found: [(reading: IntentReading, openTokens: Int, row: Int)] = []
        for (row, phrase) in phrases.enumerated() {
            guard let match = matcher.match(phrase.program, in: way.range, mayMisspell: mayMisspell),
                let meaning = IntentMeaning(phrase.row, match)
            else { continue }
            let confidence = 1 - 0.02 * Double(match.fillers + way.fillers) - 0.1 * Double(match.misspellings)
            guard confidence >= 0.6 else { continue }
            let entities = meaning.entities.map { value, place in
                let range = tokens.range(place.lowerBound, place.upperBound)
                let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
                return IntentEntity(
                    value: value,
                    range: start..<start + text.utf8.distance(from: range.lowerBound, to: range.upperBound))
            }
            let requiresKnownPlace = if case .knownPlace = phrase.row.form { true } else { false }
            let reading = IntentReading(
                intent: meaning.intent, kind: phrase.row.kind, entities: entities, confidence: confidence,
                requiresKnownPlace: requiresKnownPlace)
            found.append((reading, match.openTokens, row))
        }
        // Of equals, the one that takes fewer words as they are, then the first of the table.
        found.sort {
            ($1.reading.confidence, $0.openTokens, $0.row) < ($0.reading.confidence, $1.openTokens, $1.row)
        }
        var distinct: [IntentReading] = []
        for (reading, _, _) in found where !distinct.contains(where: { $0.intent == reading.intent }) {
            distinct.append(reading)
        }
        return distinct
    }

    /// The tokens without the polite words at the ends, then with the innermost of them, then with all.
    private func ways(_ tokens: [TextToken], _ matcher: inout PatternMatcher) -> [(range: Range<Int>, fillers: Int)] {
        let starts = openings(tokens, &matcher)
        let ends = closings(tokens, after: starts.last ?? 0)
        var ways: [(range: Range<Int>, fillers: Int)] = []
        for (openings, start) in starts.enumerated().reversed() where openings == 0 || openings + 3 > starts.count {
            for (closings, end) in ends.enumerated().reversed() where closings == 0 || closings + 3 > ends.count {
                if start < end { ways.append((start..<end, openings + closings)) }
            }
        }
        return ways
    }

    /// The start, and the places after each polite word there.
    private func openings(_ tokens: [TextToken], _ matcher: inout PatternMatcher) -> [Int] {
        var starts = [0]
        var start = 0
        while start < tokens.count {
            if tokens[start].kind == .pause {
                start += 1
            } else if PatternMatcher.fillers.contains(tokens[start].text) {
                start += 1
                starts.append(start)
            } else if let match = matcher.match(opening, in: start..<tokens.count, isPrefix: true), match.end > start {
                start = match.end
                starts.append(start)
            } else {
                break
            }
        }
        return starts
    }

    /// The end, and the places before each polite word there.
    private func closings(_ tokens: [TextToken], after start: Int) -> [Int] {
        var ends = [tokens.count]
        var end = tokens.count
        while end > start {
            if tokens[end - 1].kind == .pause {
                end -= 1
            } else if let closing = closings.first(where: { words in
                end - words.count >= start
                    && words.enumerated().allSatisfy { tokens.text(end - words.count + $0.offset) == $0.element }
            }) {
                end -= closing.count
                ends.append(end)
            } else {
                break
            }
        }
        return ends
    }

    private static func patterns(_ texts: [String: String]) -> [String: PhrasePattern] {
        texts.compactMapValues { PhrasePattern($0) }
    }

    private static func pattern(_ text: String) -> PhrasePattern {
        guard let pattern = PhrasePattern(text) else { preconditionFailure("malformed pattern: \(text)") }
        return pattern
    }
}
