// SPDX-License-Identifier: MIT

/// Recognises the words that a reader of a known text says, including left-out, wrong and added ones.
///
/// Blocks for a twentieth of the sound's length and more: call it off the cooperative pool. Not for use from two
/// threads at once.
package final class ReadingDecoder {
    /// A recognised word.
    package struct Word: Sendable, Equatable {
        /// The word as the text or the dictionary spells it; nil for sounds that are not a known word.
        package let text: String?
        /// The beginning and the end, in seconds, to 10 ms.
        package let start: Double
        package let end: Double
    }

    /// The weight of a language model's logarithms against the sound's.
    private static let languageWeight = 10.0
    private static let vocabularySize = 20_000
    /// A run of free phones shorter than this is not a word: 120 ms.
    private static let shortestUnknown = 12

    private let model: AcousticModel
    private let decoder: PocketSphinxDecoder
    private let frontEnd: FrontEnd
    private let common: CommonWords
    /// The text that the decoder is prepared for: reading it again needs no preparation.
    private var prepared: (words: [String], unknown: Set<String>, alike: [String: String])?

    /// Loads the model: a tenth of a second to half a second, 40 MB.
    package init(model: AcousticModel = .englishUS) throws(SpeechError) {
        try model.check()
        self.model = model
        common = try CommonWords(model: model, count: Self.vocabularySize)
        let weight = "\(Self.languageWeight)"
        decoder = try PocketSphinxDecoder(
            forWordsOf: model,
            options: [
                ("-lw", weight), ("-fwdflat", "no"), ("-bestpath", "no"),
                // Times must count all of the sound.
                ("-remove_silence", "no"),
            ])
        frontEnd = try decoder.makeFrontEnd()
    }

    /// Prepares for a text: lower-case words as a dictionary spells them.
    ///
    /// - Returns: The words that cannot be judged, because they have no pronunciation; and for the words that sound
    ///   like another one of the text, the one that represents all of them.
    package func prepare(_ words: [String]) throws(SpeechError) -> (unknown: Set<String>, alike: [String: String]) {
        if let prepared, prepared.words == words { return (prepared.unknown, prepared.alike) }
        let vocabulary = try ReadingVocabulary(text: Set(words), common: common, model: model, limits: .init())
        let phones = Phones.names.map { String(ReadingVocabulary.phoneMark) + $0.lowercased() }
        let language = ReadingLanguageModel(
            text: words.filter { !vocabulary.unknown.contains($0) }, others: vocabulary.others, near: vocabulary.near,
            phones: phones, shares: .init())
        prepared = nil
        try decoder.use(dictionary: vocabulary.dictionary, arpa: language.arpa())
        prepared = (words, vocabulary.unknown, vocabulary.alike)
        return (vocabulary.unknown, vocabulary.alike)
    }

    /// The words in `samples`: 16 kHz mono, −1…1, at most a minute, the first one at `position` of the stream.
    package func decode(_ samples: [Float], startingAt position: Int = 0) throws(SpeechError) -> [Word] {
        guard let cepstra = frontEnd.cepstra(of: InputGain.levelled(samples)) else {
            throw SpeechError(
                .recognitionFailed, "The recording's features cannot be computed. Load the evaluator again.")
        }
        let seconds = { (frame: Int) in Double(position) / 16_000 + Double(frame) / 100 }
        let word = { (text: String?, frames: ClosedRange<Int>) in
            Word(text: text, start: seconds(frames.lowerBound), end: seconds(frames.upperBound + 1))
        }
        var words: [Word] = []
        var unknown: ClosedRange<Int>?
        func closeUnknown() {
            if let frames = unknown, frames.count >= Self.shortestUnknown { words.append(word(nil, frames)) }
            unknown = nil
        }
        for segment in decoder.decode(cepstra.normalized()) ?? [] {
            if segment.word.first == ReadingVocabulary.phoneMark {
                unknown = (unknown?.lowerBound ?? segment.frames.lowerBound)...segment.frames.upperBound
                continue
            }
            closeUnknown()
            guard !RecognitionScorer.isFiller(segment.word) else { continue }
            words.append(word(RecognitionScorer.spelling(segment.word), segment.frames))
        }
        closeUnknown()
        return words
    }
}
