// SPDX-License-Identifier: MIT

import Testing

@testable import Speech
@testable import SpeechEvaluation

@Suite struct WordJudgeTests {
    private func verdicts(_ text: String, unknown: Set<String> = [], alike: [String: String] = [:], _ heard: [String?])
        throws -> (words: [String], substitutions: Int)
    {
        let judge = WordJudge(text: SpokenText(text, language: "en").words, unknown: unknown, alike: alike)
        let found = try judge.judge(
            heard.enumerated().map { ReadingDecoder.Word(text: $1, start: Double($0), end: Double($0) + 0.5) })
        return (found.words.map { "\($0.text ?? "?") \($0.verdict)" }, found.substitutions)
    }

    @Test func aSubstitutionIsMissedAndInserted() throws {
        let found = try verdicts("the cat sat", ["the", nil, "sat"])
        #expect(found.words == ["the right", "cat missed", "? inserted", "sat right"] && found.substitutions == 1)
    }

    @Test func whatWasHeardForAnUnjudgedWordIsNotInserted() throws {
        let found = try verdicts("the 世界 sat", unknown: ["世界"], ["the", "say", "kai", "sat"])
        #expect(found.words == ["the right", "世界 unjudged", "sat right"])
        let more = try verdicts("the 世界", unknown: ["世界"], ["the", "a", "b", "c", "d", "e"])
        #expect(more.words == ["the right", "世界 unjudged", "d inserted", "e inserted"])
    }

    @Test func wordsThatSoundAlikeAreOne() throws {
        #expect(
            try verdicts("their dog there", alike: ["their": "their", "there": "their"], ["there", "dog", "their"])
                .words
                == ["their right", "dog right", "there right"])
        #expect(try verdicts("their dog", ["there", "dog"]).words.contains("their missed"))
    }

    @Test func everyWordOfTheTextHasAVerdict() throws {
        let found = try verdicts("a 世 b 界 c 世", unknown: ["世", "界"], ["b"])
        #expect(found.words == ["a missed", "世 unjudged", "b right", "界 unjudged", "c missed", "世 unjudged"])
    }
}
