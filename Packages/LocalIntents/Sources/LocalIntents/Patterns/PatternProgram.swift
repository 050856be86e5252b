// SPDX-License-Identifier: MIT

/// A pattern as steps of a backtracking matcher that visits each pair of step and token at most once.
struct PatternProgram: Sendable {
    enum Step: Sendable {
        case word(String)
        case slot(IntentSlot)
        /// Two ways on, the first preferred.
        case fork(Int, Int)
        case jump(Int)
        case accept
    }

    private(set) var steps: [Step] = []

    /// The program of a pattern over `rules`.
    init(_ pattern: PhrasePattern, rules: [String: PhrasePattern]) {
        append(pattern, rules, depth: 0)
        steps.append(.accept)
    }

    private mutating func append(_ pattern: PhrasePattern, _ rules: [String: PhrasePattern], depth: Int) {
        precondition(depth < 40, "a rule refers to itself")
        switch pattern {
        case .word(let word): steps.append(.word(word))
        case .sequence(let parts):
            for part in parts { append(part, rules, depth: depth + 1) }
        case .optional(let part):
            let fork = steps.count
            steps.append(.jump(0))
            append(part, rules, depth: depth + 1)
            steps[fork] = .fork(fork + 1, steps.count)
        case .choice(let parts):
            var jumps: [Int] = []
            for part in parts.dropLast() {
                let fork = steps.count
                steps.append(.jump(0))
                append(part, rules, depth: depth + 1)
                jumps.append(steps.count)
                steps.append(.jump(0))
                steps[fork] = .fork(fork + 1, steps.count)
            }
            if let last = parts.last { append(last, rules, depth: depth + 1) }
            for jump in jumps { steps[jump] = .jump(steps.count) }
        case .rule(let name):
            if let slot = IntentSlot(rawValue: name) {
                steps.append(.slot(slot))
            } else if let rule = rules[name] {
                append(rule, rules, depth: depth + 1)
            } else {
                preconditionFailure("no rule \(name)")
            }
        }
    }
}

/// A match of a pattern.
struct PatternMatch {
    /// A slot's value and its tokens.
    struct Capture {
        let slot: IntentSlot
        let value: SlotValue
        let tokens: Range<Int>
    }

    var captures: [Capture] = []
    var fillers = 0
    var misspellings = 0
    /// The index after the last token.
    var end = 0

    /// The number of words that were taken as they are.
    var openTokens: Int {
        captures.reduce(0) { count, capture in
            if case .text = capture.value { count + capture.tokens.count } else { count }
        }
    }
}

/// Matches programs against the tokens of one text.
struct PatternMatcher {
    /// Words that may stand anywhere and mean nothing.
    static let fillers: Set<String> = [
        "um", "uh", "er", "erm", "hmm", "please", "just", "actually", "quickly", "kindly", "exactly", "really", "like",
        "then", "simply", "now", "currently",
    ]

    private let tokens: [TextToken]
    private let slots: SlotReader
    /// The words of all patterns: none of them is a misspelling of another.
    private let vocabulary: Set<String>
    private var values: [Int: [SlotReader.Found]] = [:]
    /// The steps that may still be taken for this text.
    private(set) var budget = 200_000

    init(_ tokens: [TextToken], slots: SlotReader, vocabulary: Set<String>) {
        self.tokens = tokens
        self.slots = slots
        self.vocabulary = vocabulary
    }

    private struct Branch {
        var step: Int
        var place: Int
        var match: PatternMatch
    }

    /// The first match of all tokens in `range`, or, with `isPrefix`, of as many as it takes.
    mutating func match(
        _ program: PatternProgram, in range: Range<Int>, isPrefix: Bool = false, mayMisspell: Bool = false
    ) -> PatternMatch? {
        var visited = [Bool](repeating: false, count: program.steps.count * (range.count + 1))
        var branches = [Branch(step: 0, place: range.lowerBound, match: PatternMatch())]
        while var branch = branches.popLast(), budget > 0 {
            budget -= 1
            let key = branch.step * (range.count + 1) + branch.place - range.lowerBound
            if visited[key] { continue }
            visited[key] = true
            switch program.steps[branch.step] {
            case .jump(let target):
                branch.step = target
                branches.append(branch)
            case .fork(let first, let second):
                branches.append(Branch(step: second, place: branch.place, match: branch.match))
                branch.step = first
                branches.append(branch)
            case .accept:
                let isWhole = (branch.place..<range.upperBound).allSatisfy { tokens[$0].kind == .pause }
                guard isPrefix || isWhole else { continue }
                branch.match.end = branch.place
                return branch.match
            case .word(let word):
                guard branch.place < range.upperBound else { continue }
                let token = tokens[branch.place]
                if token.text == word {
                    branch.step += 1
                } else if !isPrefix, skip(token, &branch.match) {
                    // The same step at the next token.
                } else if mayMisspell, isMisspelling(token, of: word) {
                    branch.match.misspellings += 1
                    branch.step += 1
                } else {
                    continue
                }
                branch.place += 1
                branches.append(branch)
            case .slot(let slot):
                guard branch.place < range.upperBound else { continue }
                var skipped = branch
                if skip(tokens[branch.place], &skipped.match) {
                    skipped.place += 1
                    branches.append(skipped)
                }
                for found in read(slot, at: branch.place).reversed() where found.end <= range.upperBound {
                    var next = branch
                    next.match.captures.append(
                        .init(slot: slot, value: found.value, tokens: branch.place..<found.end))
                    next.step += 1
                    next.place = found.end
                    branches.append(next)
                }
            }
        }
        return nil
    }

    private func skip(_ token: TextToken, _ match: inout PatternMatch) -> Bool {
        if token.kind == .pause { return true }
        guard Self.fillers.contains(token.text) else { return false }
        match.fillers += 1
        return true
    }

    private mutating func read(_ slot: IntentSlot, at place: Int) -> [SlotReader.Found] {
        let key = place * IntentSlot.allCases.count + slot.order
        if let known = values[key] { return known }
        let found = slots.read(slot, tokens, at: place)
        values[key] = found
        return found
    }

    private func isMisspelling(_ token: TextToken, of word: String) -> Bool {
        token.kind == .word && word.utf8.count >= 5 && token.text.utf8.count >= 4 && token.text.utf8.count <= 20
            && token.text.utf8.first == word.utf8.first && !vocabulary.contains(token.text)
            && !OrdinaryWordTable.words.contains(token.text)
            && isOneEdit(Array(token.text.utf8), Array(word.utf8))
    }

    /// True if a letter is missing, added or wrong, or two neighbours are swapped.
    private func isOneEdit(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard abs(left.count - right.count) <= 1 else { return false }
        let common = zip(left, right).prefix { $0 == $1 }.count
        let (a, b) = (left[common...], right[common...])
        if a.count > b.count { return a.dropFirst().elementsEqual(b) }
        if a.count < b.count { return b.dropFirst().elementsEqual(a) }
        if a.dropFirst().elementsEqual(b.dropFirst()) { return true }
        guard let first = a.first, let other = b.first, a.count >= 2 else { return false }
        return first == b[common + 1] && other == a[common + 1] && a.dropFirst(2).elementsEqual(b.dropFirst(2))
    }
}

/// Words one edit away from a pattern's word that are words of their own.
enum OrdinaryWordTable {
    static let words: Set<String> = [
        "house", "houses", "tinier", "timber", "smiles", "milers", "moths", "month", "months", "peter", "petals",
        "called", "caller", "spells", "smell", "shell", "spill", "spend", "start", "state", "states", "story", "stork",
        "stocks", "steps", "stepped", "alarming", "larks", "world", "words", "worth", "would", "could", "tides",
        "tunes",
        "tiger", "tigers", "tiler", "tamer", "taxes", "votes", "voice", "louder", "lower", "lover", "slower", "flower",
        "flowers", "power", "powers", "raise", "rinse", "reset", "repeal", "reheat", "repeats", "square", "squares",
        "routes", "roots", "roost", "minuses", "plush", "times", "tames", "thing", "things", "think", "there", "their",
        "where", "were", "which", "witch", "while", "white", "about", "again", "against", "cancer", "canal", "cancels",
        "dates", "dater", "later", "water", "delete", "shows", "shower", "slowly", "sloppy", "weeks", "weekly", "yearn",
        "years", "degree", "meters", "metres", "feats", "found", "round", "pound", "bounds", "grams", "grass", "today",
    ]
}
