// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Localization
import TerminalKit
import Testing

@testable import parley

@Suite struct PracticeTextTests {
    private func lines(_ evaluation: Evaluation) -> [String] {
        let console = Console(
            output: OutputStream(descriptor: 1), errors: OutputStream(descriptor: 2), isJSON: false,
            traits: TerminalTraits(environment: ["LANG": "C.UTF-8"], isTerminal: false))
        return EvaluationText(evaluation: evaluation, console: console).lines
    }

    @Test func wordsShowWhatBecameOfThemWithoutColours() {
        #expect(
            lines(PracticeSamples.evaluation(right: 2)) == [
                "  right right [déjà] +um (xyzzy)",
                "  2 of 3 words right, 1 missed, 1 inserted, 1 unknown to the recogniser",
                "  107 words a minute · 1 pause of 0.8 s · -23.1 LUFS · 38 dB above the noise",
                "  It is distorted: speak from farther off, or turn the microphone down.",
            ])
    }

    @Test func whatIsNotThereIsLeftOut() {
        #expect(
            lines(PracticeSamples.bareEvaluation) == [
                "  There is no recogniser for this language here: the words were not judged.", "  no pause",
            ])
    }

    @Test func softAndNoisySoundGetsAdvice() {
        var evaluation = PracticeSamples.bareEvaluation
        (evaluation.loudness, evaluation.signalToNoise) = (-45, 9)
        #expect(lines(evaluation).count == 4)
        evaluation.words = [JudgedWord(text: "\u{1B}[2J", verdict: .unjudged)]
        #expect(
            lines(evaluation).prefix(2) == ["  ( [2J)", "  No word could be judged."], "nothing drives the terminal")
    }

    @Test func numbersHaveOneDecimal() {
        #expect([0.04, -0.06, 12.35, -.infinity].map(EvaluationText.number) == ["0.0", "-0.1", "12.4", "-9999.0"])
    }

    @Test func aPlotShowsDaysUpToToday() throws {
        let results = try [("2024-03-01", 4), ("2024-03-01", 0), ("2024-02-29", 5)].map { day, right in
            try PracticeSamples.result(
                day: day, evaluation: PracticeSamples.evaluation(right: right, missed: 5 - right))
        }
        let plot = ProgressPlot(
            progress: PracticeProgress(of: results), today: try #require(CalendarDate("2024-03-01")), days: 3,
            glyphs: Glyphs(hasUnicode: true), translator: .english)
        #expect(
            plot.lines == [
                "  practised a day",
                "     2 ┤  █",
                "       ┤  █",
                "       ┤ ▄█",
                "       ┤ ██",
                "     0 ┤ ██",
                "       └───",
                "        2024-03-01",
                "",
                "  words right",
                "  100% ┤   ",
                "       ┤ █ ",
                "       ┤ █ ",
                "       ┤ █▄",
                "     0 ┤ ██",
                "       └───",
                "        2024-03-01",
            ])
    }

    @Test func aPlotWithoutUnicodeAndWithoutPractice() throws {
        let plot = ProgressPlot(
            progress: PracticeProgress(of: []), today: try #require(CalendarDate("2024-03-01")), days: 30,
            glyphs: Glyphs(hasUnicode: false), translator: .english)
        #expect(plot.lines.count == 8)
        #expect(plot.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
        #expect(plot.lines.last == "        2024-02-01          2024-03-01")
    }
}
