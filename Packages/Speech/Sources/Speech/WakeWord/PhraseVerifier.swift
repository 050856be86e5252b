// SPDX-License-Identifier: MIT

/// The closer look at a candidate: looks for the phrase, its rivals and its parts in the same second of sound.
struct PhraseVerifier: Sendable {
    private let spotter: KeywordSpotter
    private let rivals: RivalPhrases

    init(_ rivals: RivalPhrases, model: AcousticModel) throws(SpeechError) {
        self.rivals = rivals
        spotter = try KeywordSpotter(
            rivals.roles.keys.sorted(), dictionary: PronouncingDictionary(entries: rivals.entries), model: model,
            effort: .closer)
    }

    /// Nil when the phrase is not there.
    ///
    /// - Parameters:
    ///   - cepstra: the sound from before the candidate to after its end, normalised.
    ///   - spotted: the first stage's score.
    func evidence(in cepstra: Cepstra, spotted: Double) -> PhraseEvidence? {
        spotter.begin()
        let isSearched = spotter.process(cepstra)
        spotter.end()
        guard isSearched, cepstra.frameCount > 0 else { return nil }
        let levels = stride(from: 0, to: cepstra.values.count, by: cepstra.dimensions).map { cepstra.values[$0] }
        return PhraseEvidence(spotter.candidates(), of: rivals, spotted: spotted, levels: levels)
    }
}
