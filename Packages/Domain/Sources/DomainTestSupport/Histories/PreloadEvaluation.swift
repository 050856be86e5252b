// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The turns of a history for which a rule had prepared, and what it prepared for nothing.
///
/// A rule names three questions 15 s after each turn (its answer, and the quiet time of `PreloadAnswers`) and again each half
/// hour, and those that it named last are ready. The first 14 days are for learning and do not count.
public enum PreloadEvaluation {
    /// A rule that names up to three questions.
    public enum Rule: String, Sendable, CaseIterable {
        /// `LikelyQuestions` in Domain.
        case likely
        /// The questions that were asked most often so far.
        case mostFrequent
        /// The last three different questions.
        case mostRecent
    }

    /// Counts.
    public struct Outcome: Sendable, Hashable {
        /// The turns.
        public var turns = 0
        /// The turns that came later than 15 s after the one before.
        public var turnsAfterQuiet = 0
        /// The turns whose question was ready.
        public var preloaded = 0
        /// The preparations: each question that was named and not ready already.
        public var preparations = 0

        /// The share of turns whose question was ready.
        public var share: Double { Double(preloaded) / Double(max(1, turns)) }
        /// The share of preparations that were for nothing.
        public var waste: Double { Double(preparations - preloaded) / Double(max(1, preparations)) }

        /// The sum of both.
        public static func + (first: Outcome, second: Outcome) -> Outcome {
            var sum = first
            sum.turns += second.turns
            sum.turnsAfterQuiet += second.turnsAfterQuiet
            sum.preloaded += second.preloaded
            sum.preparations += second.preparations
            return sum
        }

        /// No turns.
        public init() {}
    }

    /// Lets a rule prepare for the turns of a history.
    ///
    /// - Parameter isPrepared: Returns false for a question that no preparation is made for, though it may be named.
    public static func outcome(
        of rule: Rule, over history: GeneratedHistory, isPrepared: (GeneratedTurn) -> Bool = { _ in true }
    ) -> Outcome {
        var outcome = Outcome()
        let turns = history.turns
        let asked = turns.map { AskedQuestion($0.text, kind: $0.intent, askedAt: $0.askedAt) }
        let prepared = Set(turns.filter(isPrepared).map(\.text))
        guard let first = turns.first else { return outcome }
        for index in turns.indices.dropFirst()
        where turns[index].askedAt.timeIntervalSince(first.askedAt) > 14 * 86_400 {
            var (ready, time) = (Set<String>(), turns[index - 1].askedAt.addingTimeInterval(15))
            if prepared.contains(turns[index].text) {
                outcome.turns += 1
                if time <= turns[index].askedAt { outcome.turnsAfterQuiet += 1 }
            }
            while time <= turns[index].askedAt {
                let named = Set(names(rule, asked[..<index], time)).intersection(prepared)
                outcome.preparations += named.subtracting(ready).count
                ready = named
                time = time.addingTimeInterval(1_800)
            }
            if ready.contains(turns[index].text) { outcome.preloaded += 1 }
        }
        return outcome
    }

    private static func names(_ rule: Rule, _ past: ArraySlice<AskedQuestion>, _ now: Date) -> [String] {
        switch rule {
        case .likely: return LikelyQuestions(Array(past), at: now, secondsFromGMT: { _ in 0 }).next()
        case .mostFrequent:
            var counts: [String: Int] = [:]
            for asked in past { counts[asked.text, default: 0] += 1 }
            return counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3).map(\.key)
        case .mostRecent:
            var names: [String] = []
            for asked in past.reversed() where !names.contains(asked.text) {
                names.append(asked.text)
                if names.count == 3 { break }
            }
            return names
        }
    }
}
