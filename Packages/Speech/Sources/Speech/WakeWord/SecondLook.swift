// SPDX-License-Identifier: MIT

internal import Glibc

/// A second look, for when the first one was undecided: the same sound again, with its own mean instead of the
/// stream's, once with reduced noise and once unchanged.
///
/// The looks make different errors. It needs the sound of the second before, for the noise.
struct SecondLook: Sendable {
    /// The number of frames of sound before the candidate.
    static let lead = 100

    private let verifier: PhraseVerifier
    private let reducer = NoiseReducer()
    /// Without the library's own noise reduction, for sound with reduced noise.
    private let plain: FrontEnd
    private let usual: FrontEnd
    private let measureCount: Int

    init(_ verifier: PhraseVerifier, phoneCount: Int, model: AcousticModel) throws(SpeechError) {
        self.verifier = verifier
        measureCount = PhraseEvidence.names.count + phoneCount
        // The library's own detection of speech would drop frames.
        let whole = [("-remove_silence", "no")]
        let empty = PronouncingDictionary(entries: [:])
        usual = try PocketSphinxDecoder(dictionary: empty, model: model, options: whole).makeFrontEnd()
        plain = try PocketSphinxDecoder(
            dictionary: empty, model: model, options: whole + [("-remove_noise", "no")]
        ).makeFrontEnd()
    }

    /// The measures of the looks: the level of the loudest sound above the quiet and above the median sound, in
    /// decibels; then for each look 1 if it found the phrase, else 0, with its measures and margins, else zeros.
    ///
    /// - Parameters:
    ///   - sound: The candidate's sound, after the sound before it.
    ///   - lead: The number of frames before the candidate.
    ///   - spotted: The first stage's score.
    func measures(in sound: [Int16], after lead: Int, spotted: Double) -> [Double] {
        let levels = Self.levels(of: sound).sorted()
        guard !levels.isEmpty else { return [Double](repeating: 0, count: 2 * measureCount + 4) }
        let top = levels[levels.count - 1 - levels.count / 20]
        var result = [top - levels[levels.count / 10], top - levels[levels.count / 2]]
        for (sound, frontEnd) in [(reducer.reduce(sound), plain), (sound, usual)] {
            let cepstra = frontEnd.cepstra(of: sound)?.normalized().dropping(lead)
            if let evidence = cepstra.flatMap({ verifier.evidence(in: $0, spotted: spotted) }) {
                result += [1] + evidence.measures + evidence.margins
            } else {
                result += [Double](repeating: 0, count: measureCount + 1)
            }
        }
        return result
    }

    /// The power of each 10 ms in decibels.
    private static func levels(of sound: [Int16]) -> [Double] {
        stride(from: 0, to: sound.count - 159, by: 160).map { start in
            let energy = sound[start..<(start + 160)].reduce(0.0) { $0 + Double($1) * Double($1) }
            return 10 * log10(energy / 160 + 1)
        }
    }
}

extension Cepstra {
    /// The cepstra without the first rows.
    fileprivate func dropping(_ rows: Int) -> Cepstra {
        Cepstra(dimensions: dimensions, values: Array(values.dropFirst(rows * dimensions)))
    }
}

/// The closer look at a candidate: searches for the phrase, its rivals and its parts in the same second of sound.
struct PhraseVerifier: Sendable {
    private let spotter: KeywordSpotter
    private let rivals: RivalPhrases

    init(_ rivals: RivalPhrases, model: AcousticModel) throws(SpeechError) {
        self.rivals = rivals
        spotter = try KeywordSpotter(
            rivals.roles.keys.sorted(), dictionary: PronouncingDictionary(entries: rivals.entries), model: model,
            effort: .closer)
    }

    /// Nil if the phrase is not found.
    ///
    /// - Parameters:
    ///   - cepstra: The sound from before the candidate to after its end, normalised.
    ///   - spotted: The first stage's score.
    func evidence(in cepstra: Cepstra, spotted: Double) -> PhraseEvidence? {
        spotter.begin()
        let isSearched = spotter.process(cepstra)
        spotter.end()
        guard isSearched, cepstra.frameCount > 0 else { return nil }
        let levels = stride(from: 0, to: cepstra.values.count, by: cepstra.dimensions).map { cepstra.values[$0] }
        return PhraseEvidence(spotter.candidates(), of: rivals, spotted: spotted, levels: levels)
    }
}
