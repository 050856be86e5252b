// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import FoundationEssentials
import TerminalKit

extension Statistics {
    /// The statistics for ``OpenMetrics``. All counts are gauges: they fall when questions of 90 days ago expire.
    func families(since: Date) -> [MetricFamily] {
        var families: [MetricFamily] = []
        /// Adds a family; nothing without a sample.
        func family(
            _ name: String, kind: MetricFamily.Kind = .gauge, unit: String? = nil, _ help: String,
            _ samples: [(labels: [(String, String)], value: Double)], isSorted: Bool = false
        ) {
            guard !samples.isEmpty else { return }
            func key(_ labels: [(String, String)]) -> String { labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",") }
            let sorted = isSorted ? samples : samples.sorted { key($0.labels) < key($1.labels) }
            let samples = sorted.map { labels, value in
                // Control characters are left out: they could drive a terminal.
                MetricFamily.Sample(labels: labels.map { ($0, $1.printable) }, value: value)
            }
            families.append(MetricFamily(name: name, kind: kind, unit: unit, help: help, samples: samples))
        }
        family(
            "parley_statistics_start_time_seconds", unit: "seconds", "Start of the time that is counted.",
            [([], since.timeIntervalSince1970.rounded())])
        family(
            "parley_questions", "Questions by their outcome and the code of its error.",
            outcomes.map { outcome, count in
                ([("outcome", outcome.name), ("code", outcome.code ?? "")], Double(count))
            })
        family(
            "parley_questions_by_modality", "Questions, typed (text) or spoken (voice).",
            Message.Modality.allCases.map { ([("modality", $0.rawValue)], Double(modalities[$0] ?? 0)) })
        family("parley_active_days", "Days with a question.", [([], Double(days.count))])
        family(
            "parley_answers", "Answers by their source; an empty source is not stored any more.",
            sources.map { ([("source", $0.key?.text ?? "")], Double($0.value)) })
        family("parley_answers_interrupted", "Answers that were cut off.", [([], Double(interrupted))])
        let latencies = sortedLatencies.map { stage, percentiles in
            (labels: [("stage", stage.latency.rawValue), ("source", stage.source ?? "")], percentiles: percentiles)
        }
        family(
            "parley_turn_latency_seconds", kind: .summary, unit: "seconds",
            "Times of stages of turns; nearest-rank percentiles.",
            latencies.flatMap { labels, percentiles in
                [50, 90, 99, 100].map { percent in
                    (labels + [("quantile", "\(Double(percent) / 100)")], percentiles.value(percent) / .seconds(1))
                }
            }, isSorted: true)
        family(
            "parley_turn_latency_measurements", "Number of times behind the percentiles.",
            latencies.map { ($0.labels, Double($0.percentiles.count)) })
        let models = Dictionary(grouping: spending, by: \.model)
        family(
            "parley_model_tokens", "Tokens that models read (input) and wrote (output).",
            models.flatMap { model, days in
                [
                    ([("model", model), ("direction", "input")], days.reduce(0) { $0 + Double($1.inputTokens) }),
                    ([("model", model), ("direction", "output")], days.reduce(0) { $0 + Double($1.outputTokens) }),
                ]
            })
        family(
            "parley_model_cost_dollars", unit: "dollars", "Price of the models' answers, as far as it is known.",
            models.map { model, days in ([("model", model)], days.reduce(0) { $0 + $1.cost }) })
        family(
            "parley_model_answers_unpriced", "Models' answers without a known price.",
            models.map { model, days in ([("model", model)], Double(days.reduce(0) { $0 + $1.unpriced })) })
        if sentences > 0 {
            family(
                "parley_speech_cache_sentences", "Sentences that the speech cache was asked for, by its answer.",
                [
                    ([("result", "hit")], Double(cachedSentences)),
                    ([("result", "miss")], Double(sentences - cachedSentences)),
                ])
        }
        return families
    }
}
