// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The hits of a cache of answers over a history, by the rule that decides what a full one drops.
public enum AnswerCacheEvaluation {
    /// A rule.
    public enum Rule: String, Sendable, CaseIterable {
        /// `AnswerRetention` in Domain, which frees a twentieth at once.
        case retention
        /// The answer that was used longest ago goes.
        case leastRecentlyUsed = "LRU"
        /// The answer whose question was asked least goes, and of two the one that was used longest ago. The counts are of
        /// all questions, also of those whose answers went, with which it is better than with those of its content alone.
        case leastFrequentlyUsed = "LFU"
        /// The answer that is asked for last goes (Belády's rule), which takes knowing the future.
        case best
    }

    /// Lets a cache of `size` answers, each valid for seven days, answer a history's questions for facts.
    ///
    /// - Returns: The share of these questions that it had an answer to.
    public static func hitRate(of rule: Rule, size: Int, over history: GeneratedHistory) -> Double {
        let questions = history.turns.filter(\.asksForFact).map { (question: $0.text, time: $0.askedAt) }
        var cache = Cache(rule: rule, size: size, future: following(questions))
        for place in questions.indices { cache.ask(place, of: questions) }
        return Double(cache.hits) / Double(max(1, questions.count))
    }

    /// The time at which each question is asked next.
    private static func following(_ questions: [(question: String, time: Date)]) -> [Date] {
        var (next, times): ([String: Date], [Date]) = ([:], [])
        for (question, time) in questions.reversed() {
            times.append(next[question] ?? .distantFuture)
            next[question] = time
        }
        return times.reversed()
    }

    private struct Cache {
        private struct Entry {
            let question: String
            let expiresAt: Date
            var used: Int
            var next: Date
        }

        let rule: Rule
        let size: Int
        let future: [Date]
        private(set) var hits = 0
        private var entries: [Entry] = []
        private var counts: [String: Int] = [:]

        init(rule: Rule, size: Int, future: [Date]) { (self.rule, self.size, self.future) = (rule, size, future) }

        mutating func ask(_ place: Int, of questions: [(question: String, time: Date)]) {
            let (question, time) = questions[place]
            entries.removeAll { $0.expiresAt <= time }
            counts[question, default: 0] += 1
            let valid = time.addingTimeInterval(7 * 86_400)
            if let index = entries.firstIndex(where: { $0.question == question }) {
                hits += 1
                (entries[index].used, entries[index].next) = (place, future[place])
            } else {
                let new = Entry(question: question, expiresAt: valid, used: place, next: future[place])
                if entries.count < size || makeRoom(for: new, questions[...place]) { entries.append(new) }
            }
        }

        private mutating func makeRoom(for new: Entry, _ past: ArraySlice<(question: String, time: Date)>) -> Bool {
            entries.sort { $0.used < $1.used }
            switch rule {
            case .retention:
                let now = past.last?.time ?? .distantPast
                let model = ReuseModel(asked: Array(past), now: now, secondsFromGMT: { _ in 0 })
                func item(_ entry: Entry) -> AnswerRetention.Item {
                    .init(question: entry.question, expiresAt: entry.expiresAt)
                }
                let order = AnswerRetention(model, at: now).removable(of: entries.map(item), for: item(new))
                for place in order.prefix(max(1, size / 20)).sorted(by: >) { entries.remove(at: place) }
            case .leastRecentlyUsed: entries.removeFirst()
            case .leastFrequentlyUsed:
                let counts = counts
                remove { Double(counts[$0.question, default: 0]) }
            case .best:
                func gain(_ entry: Entry) -> Double {
                    entry.next < entry.expiresAt ? -entry.next.timeIntervalSince1970 : -.infinity
                }
                if let least = entries.map(gain).min(), gain(new) < least { return false }
                remove(gain)
            }
            return entries.count < size
        }

        /// Removes the first entry of least worth.
        private mutating func remove(_ worth: (Entry) -> Double) {
            let worths = entries.map(worth)
            if let least = worths.min(), let place = worths.firstIndex(of: least) { entries.remove(at: place) }
        }
    }
}
