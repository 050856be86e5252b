// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A question of a person's history.
public struct AskedQuestion: Sendable, Hashable {
    /// The words, as they were last said or typed.
    public let text: String
    /// The kind of the part that answered it, with the intent's name; nil for one without an answer.
    public let kind: String?
    /// The time of the question.
    public let askedAt: Date
    /// The words that tell it from other questions: without case, accents, punctuation and politeness.
    let key: String

    /// A question.
    public init(_ text: String, kind: String?, askedAt: Date) {
        (self.text, self.kind, self.askedAt) = (text, kind, askedAt)
        key = FactQuestion.words(ofQuestion: text).map { $0.joined(separator: " ") } ?? text.lowercased()
    }

    /// The questions of stored messages, the earliest first.
    public static func questions(of messages: [Message]) -> [AskedQuestion] {
        var kinds: [TurnID: String] = [:]
        for message in messages where message.role == .assistant {
            // A kept answer was a model's.
            if let source = message.source { kinds[message.turn] = source == .cache ? "model" : source.habit }
        }
        return messages.filter { $0.role == .user }.sorted { $0.createdAt < $1.createdAt }.map {
            AskedQuestion($0.text, kind: kinds[$0.turn], askedAt: $0.createdAt)
        }
    }
}

extension AnswerSource {
    /// The kind of the part, with the name of an intent.
    fileprivate var habit: String { if case .intent = self { text } else { kind } }
}

/// The questions that a person probably asks next: a Markov model over the question before and the time of day.
///
/// A question follows another one if it comes within ``gap``; else it is a beginning. Each time weighs half after 14 days.
/// After a question `p`, whose answer was of the kind `k`, with the weights `c(s, q)` of the questions `q` behind a state `s`,
/// `C(s)` their sum, `w(q)` the weight of all times of `q` and `h(q)` the density of this hour (docs/memory.md):
///
///     P0(q) = w(q) h(q) / Σ w h
///     P1(q) = (c(k, q) + P0(q)) / (C(k) + 1)
///     P2(q) = (c(p, q) + P1(q)) / (C(p) + 1)
///
/// Later than ``gap`` behind the last question it is `P1` with the weights of the beginnings, each times its density of this hour.
public struct LikelyQuestions: Sendable {
    /// A question that is perhaps asked next.
    public struct Prediction: Sendable, Hashable {
        /// The words.
        public let text: String
        /// The probability that it is the next one, from 0 to 1.
        public let probability: Double
    }

    /// The longest time between two questions of which one follows the other.
    public static let gap: TimeInterval = 1_800

    /// All questions of the history, the likeliest first.
    public let all: [Prediction]

    /// Learns from a history.
    ///
    /// - Parameters:
    ///   - history: The questions, in any order. Those after `now` are left out.
    ///   - now: The time from which the model looks ahead.
    ///   - secondsFromGMT: The person's offset from UTC at a time: a habit keeps its hour when the clocks change.
    public init(_ history: [AskedQuestion], at now: Date, secondsFromGMT: (Date) -> Int) {
        let past = history.filter { $0.askedAt <= now }.sorted { $0.askedAt < $1.askedAt }
        guard let last = past.last else {
            all = []
            return
        }
        let keys = past.map(\.key)
        let texts = Dictionary(zip(keys, past.map(\.text))) { $1 }
        func follows(_ index: Int) -> Bool {
            index > 0 && past[index].askedAt.timeIntervalSince(past[index - 1].askedAt) <= Self.gap
        }
        let isBeginning = now.timeIntervalSince(last.askedAt) > Self.gap
        var habits: [String: DailyHabit] = [:]
        var behindState: [String: DailyHabit] = [:]
        var behindQuestion: [String: Double] = [:]
        for (index, asked) in past.enumerated() {
            let weight = DailyHabit.weight(of: asked.askedAt, at: now)
            let hour = DailyHabit.hour(of: asked.askedAt, secondsFromGMT: secondsFromGMT(asked.askedAt))
            habits[keys[index], default: DailyHabit()].add(weight, at: hour)
            guard follows(index) != isBeginning else { continue }
            if isBeginning || past[index - 1].kind == last.kind {
                behindState[keys[index], default: DailyHabit()].add(weight, at: hour)
            }
            if !isBeginning, keys[index - 1] == keys.last { behindQuestion[keys[index], default: 0] += weight }
        }
        let hour = Int(DailyHabit.hour(of: now, secondsFromGMT: secondsFromGMT(now)))
        let base = habits.mapValues { $0.sum * $0.density(inHour: hour) }
        let state = behindState.mapValues { $0.sum * (isBeginning ? $0.density(inHour: hour) : 1) }
        let sums = (Self.sum(base), Self.sum(state), Self.sum(behindQuestion))
        all = texts.map { key, text in
            var chance = ((state[key] ?? 0) + (base[key] ?? 0) / sums.0) / (sums.1 + 1)
            if !isBeginning { chance = ((behindQuestion[key] ?? 0) + chance) / (sums.2 + 1) }
            return Prediction(text: text, probability: chance)
        }.sorted { ($0.probability, $1.text) > ($1.probability, $0.text) }
    }

    /// The likeliest questions that are at least as likely as ``worthwhile``, the likeliest first.
    public func next(_ limit: Int = 3) -> [String] {
        all.prefix(limit).filter { $0.probability >= Self.worthwhile }.map(\.text)
    }

    /// The probability from which on it is worth to prepare for a question.
    public static let worthwhile = 0.1

    /// The sum, in the same order for the same weights.
    private static func sum(_ weights: [String: Double]) -> Double { weights.values.sorted().reduce(0, +) }
}
