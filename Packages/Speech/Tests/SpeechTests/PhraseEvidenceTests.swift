// SPDX-License-Identifier: MIT

import Testing

@testable import Speech

@Suite struct PhraseEvidenceTests {
    /// Two seconds of background, with the phrase in the middle, so much above it.
    private static func levels(range: Float) -> [Float] {
        (0..<200).map { (60..<130).contains($0) ? 10 - Float(abs(95 - $0)) / 5 : 10 - range }
    }

    private func measures(range: Float) throws -> [Double] {
        let dictionary = PronouncingDictionary(entries: ["hey": ["HH EY"], "jarvis": ["JH AA R V AH S"]])
        let rivals = RivalPhrases(words: ["hey", "jarvis"], variants: ["hey jarvis"], dictionary: dictionary)
        let candidate = KeywordSpotter.Candidate(keyphrase: "hey jarvis", frames: 60...129, score: -80)
        return try #require(
            PhraseEvidence([candidate], of: rivals, spotted: -40, levels: Self.levels(range: range))
        ).measures
    }

    /// The same words louder, or in a quieter room, are no less the phrase.
    @Test func howDeepTheSilenceIsMakesNoDifference() throws {
        let quiet = try measures(range: 40)
        #expect(try measures(range: 60) == quiet && measures(range: 90) == quiet)
    }

    @Test func noiseMakesADifference() throws {
        #expect(try measures(range: 15) != measures(range: 30))
    }
}
