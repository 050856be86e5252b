// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// An evaluation as lines for a person.
struct EvaluationText: Sendable {
    let evaluation: Evaluation
    let console: Console

    var lines: [String] {
        var lines: [String] = []
        if let words = evaluation.words, !words.isEmpty {
            lines.append("  " + words.map(styled).joined(separator: " "))
            lines.append("  " + console.text(verdict))
        } else if evaluation.words == nil {
            let sentence: Sentence =
                "  There is no recogniser for this language here: the words were not judged."
            lines.append(console.text(sentence))
        }
        lines.append("  " + console.styled(measures.map(console.text).joined(separator: " · "), .muted))
        return lines + advice.map { "  " + console.styled(console.text($0), .warning) }
    }

    private func styled(_ word: JudgedWord) -> String {
        let text = word.text.printable
        return switch word.verdict {
        case .right: console.styled(text, .success)
        case .missed: console.styled("[\(text)]", .failure)
        case .inserted: console.styled("+\(text)", .warning)
        case .unjudged: console.styled("(\(text))", .muted)
        }
    }

    private var verdict: Sentence {
        let (right, missed, inserted) = (
            evaluation.count(.right), evaluation.count(.missed), evaluation.count(.inserted)
        )
        guard right + missed > 0 else { return "No word could be judged." }
        var parts: [Sentence] = ["\(right) of \(right + missed) words right"]
        if missed > 0 { parts.append("\(missed) missed") }
        if inserted > 0 { parts.append("\(inserted) inserted") }
        if evaluation.count(.unjudged) > 0 { parts.append("\(evaluation.count(.unjudged)) unknown to the recogniser") }
        return parts.listed
    }

    private var measures: [Sentence] {
        var parts: [Sentence] = []
        if let rate = evaluation.wordsPerMinute { parts.append("\(Int(rate.rounded())) words a minute") }
        let pause = evaluation.pauses.map(\.duration).max() ?? 0
        switch evaluation.pauses.count {
        case 0: parts.append("no pause")
        case 1: parts.append("1 pause of \(Self.number(pause)) s")
        default: parts.append("\(evaluation.pauses.count) pauses, the longest \(Self.number(pause)) s")
        }
        if let loudness = evaluation.loudness { parts.append("\(Self.number(loudness)) LUFS") }
        if let ratio = evaluation.signalToNoise { parts.append("\(Int(ratio.rounded())) dB above the noise") }
        return parts
    }

    /// Advice about the sound.
    private var advice: [Sentence] {
        var advice: [Sentence] = []
        if evaluation.clippedShare > 0.001 {
            advice.append("It is distorted: speak from farther off, or turn the microphone down.")
        }
        if let loudness = evaluation.loudness, loudness < -40 {
            advice.append("It is very soft: move closer, or raise the microphone's level.")
        }
        if let ratio = evaluation.signalToNoise, ratio < 15 {
            advice.append("There is much noise: a quieter place helps.")
        }
        return advice
    }

    /// The number with one decimal.
    static func number(_ value: Double) -> String {
        let tenths = Int((min(max(value, -9_999), 9_999) * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
