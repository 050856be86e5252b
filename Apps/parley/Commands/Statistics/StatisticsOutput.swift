// SPDX-License-Identifier: MIT

import Domain

/// Statistics in JSON; times in milliseconds, prices in US dollars.
struct StatisticsOutput: Encodable {
    let since: String
    let questions, spoken, interrupted: Int
    let successRate: Double?
    /// The share of kept answers; nil without one.
    let keptAnswerRate: Double?
    let outcomes: [Outcome]
    let days: [Day]
    let answers: [Answers]
    let latencies: [Latency]
    let costs: [Cost]
    let sentences: Sentences?

    struct Outcome: Encodable {
        let outcome: String
        let code: String?
        let count: Int
    }

    struct Day: Encodable {
        let date: String
        let questions, answered: Int
    }

    struct Answers: Encodable {
        /// Nil for answers that are not stored any more.
        let source: String?
        let count: Int
    }

    struct Latency: Encodable {
        let stage: String
        let source: String?
        let count: Int
        let p50, p90, p99, longest: Double
    }

    struct Cost: Encodable {
        let date, model: String
        let answers, inputTokens, outputTokens: Int
        /// Nil if no answer has a known price.
        let cost: Double?
        let unpriced: Int
    }

    /// The look-ups in the sentence cache of speech.
    struct Sentences: Encodable {
        let asked, cached: Int
        let hitRate: Double
    }

    init(_ statistics: Statistics, since: CalendarDate) {
        self.since = since.description
        (questions, interrupted) = (statistics.questions, statistics.interrupted)
        spoken = statistics.modalities[.voice, default: 0]
        (successRate, keptAnswerRate) = (statistics.successRate, statistics.keptAnswerRate)
        outcomes = statistics.outcomes.map { Outcome(outcome: $0.key.name, code: $0.key.code, count: $0.value) }
            .sorted { ($0.outcome, $0.code ?? "") < ($1.outcome, $1.code ?? "") }
        days = statistics.days.map {
            Day(date: $0.date.description, questions: $0.questions, answered: $0.answered)
        }
        answers = statistics.sources.map { Answers(source: $0.key?.text, count: $0.value) }
            .sorted { ($1.count, $0.source ?? "") < ($0.count, $1.source ?? "") }
        latencies = statistics.sortedLatencies.map { stage, percentiles in
            Latency(
                stage: stage.latency.rawValue, source: stage.source, count: percentiles.count,
                p50: percentiles.value(50).milliseconds, p90: percentiles.value(90).milliseconds,
                p99: percentiles.value(99).milliseconds, longest: percentiles.value(100).milliseconds)
        }
        costs = statistics.spending.map {
            Cost(
                date: $0.date.description, model: $0.model, answers: $0.answers, inputTokens: $0.inputTokens,
                outputTokens: $0.outputTokens, cost: $0.unpriced == $0.answers ? nil : $0.cost, unpriced: $0.unpriced)
        }
        sentences = statistics.sentenceHitRate.map {
            Sentences(asked: statistics.sentences, cached: statistics.cachedSentences, hitRate: $0)
        }
    }
}
