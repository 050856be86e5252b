// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Counts over measured turns.
public struct Statistics: Sendable, Hashable {
    /// A latency; that of answers by the kind of their source.
    public struct Stage: Sendable, Hashable {
        /// The stretch of time.
        public let latency: TurnLatency
        /// The kind of the source, such as "states" or "model"; nil where the source makes no difference, or is not known.
        public let source: String?
    }

    /// The turns of a day.
    public struct Day: Sendable, Hashable {
        /// The day.
        public let date: CalendarDate
        /// The questions that began on it.
        public internal(set) var questions = 0
        /// The questions of these that were answered.
        public internal(set) var answered = 0
    }

    /// The answers of a model on a day.
    public struct Spending: Sendable, Hashable {
        /// The day.
        public let date: CalendarDate
        /// The model.
        public let model: String
        /// The number of turns with tokens.
        public internal(set) var answers = 0
        /// The tokens that the model read.
        public internal(set) var inputTokens = 0
        /// The tokens that the model wrote.
        public internal(set) var outputTokens = 0
        /// The price in US dollars of the answers whose price is known.
        public internal(set) var cost = 0.0
        /// The answers whose price is not known.
        public internal(set) var unpriced = 0
    }

    /// The questions, typed and spoken.
    public private(set) var questions = 0
    /// The questions by their form.
    public private(set) var modalities: [Message.Modality: Int] = [:]
    /// The questions by their outcome.
    public private(set) var outcomes: [TurnOutcome: Int] = [:]
    /// The answered questions by the source of their answer; nil where it is not stored any more.
    public private(set) var sources: [AnswerSource?: Int] = [:]
    /// The answers that were cut off.
    public private(set) var interrupted = 0
    /// The days with a question, the earliest first.
    public private(set) var days: [Day] = []
    /// The latencies that were measured.
    public private(set) var latencies: [Stage: Percentiles] = [:]
    /// The tokens and prices by day and model, in this order.
    public private(set) var spending: [Spending] = []
    /// The sentences that the sentence cache of speech was asked for.
    public private(set) var sentences = 0
    /// The sentences of these that it had.
    public private(set) var cachedSentences = 0

    /// Counts turns.
    ///
    /// - Parameter day: The day of a moment, in the person's time zone.
    public init(_ turns: [CountedTurn], day: (Date) -> CalendarDate) {
        var (days, spending): ([CalendarDate: Day], [SpendingKey: Spending]) = ([:], [:])
        var durations: [Stage: [Duration]] = [:]
        for turn in turns {
            let (measurement, date) = (turn.measurement, day(turn.measurement.startedAt))
            let isAnswered = measurement.outcome == .answered
            questions += 1
            modalities[measurement.modality, default: 0] += 1
            outcomes[measurement.outcome, default: 0] += 1
            if isAnswered { sources[turn.source, default: 0] += 1 }
            if turn.isInterrupted { interrupted += 1 }
            days[date, default: Day(date: date)].questions += 1
            days[date, default: Day(date: date)].answered += isAnswered ? 1 : 0
            for (latency, duration) in measurement.latencies {
                let source = latency.stages == nil ? turn.source?.kind : nil
                durations[Stage(latency: latency, source: source), default: []].append(duration)
            }
            if let usage = turn.usage, case .model(let model)? = turn.source {
                spending[SpendingKey(date, model), default: Spending(date: date, model: model)].add(usage)
            }
            sentences += measurement.sentences
            cachedSentences += measurement.cachedSentences
        }
        self.days = days.values.sorted { $0.date < $1.date }
        self.spending = spending.values.sorted { ($0.date, $0.model) < ($1.date, $1.model) }
        latencies = durations.compactMapValues(Percentiles.init)
    }

    /// The share of questions that were answered, of those that nobody stopped; nil for none.
    public var successRate: Double? {
        let counted = questions - outcomes[.stopped, default: 0]
        return counted > 0 ? Double(outcomes[.answered, default: 0]) / Double(counted) : nil
    }

    /// The share of kept answers, of all that a model or the memory gave; nil without a kept answer.
    public var keptAnswerRate: Double? {
        let kept = sources[.cache, default: 0]
        let made = sources.reduce(0) { sum, entry in entry.key?.kind == "model" ? sum + entry.value : sum }
        return kept > 0 ? Double(kept) / Double(kept + made) : nil
    }

    /// The share of sentences that the sentence cache had; nil if it was not asked.
    public var sentenceHitRate: Double? { sentences > 0 ? Double(cachedSentences) / Double(sentences) : nil }

    private struct SpendingKey: Hashable {
        let date: CalendarDate
        let model: String
        init(_ date: CalendarDate, _ model: String) { (self.date, self.model) = (date, model) }
    }
}

extension Statistics.Spending {
    fileprivate mutating func add(_ usage: AnswerUsage) {
        answers += 1
        inputTokens = inputTokens.addingClamped(usage.inputTokens)
        outputTokens = outputTokens.addingClamped(usage.outputTokens)
        if let cost = usage.cost { self.cost += cost } else { unpriced += 1 }
    }
}

extension Int {
    /// The sum, or the largest number if it does not fit: a hostile server's counts must not trap.
    fileprivate func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
