// SPDX-License-Identifier: MIT

/// Hears which words a reader of a known text says, among them left-out, wrong and added ones.
///
/// Blocks for a twentieth of the sound's length and more; to be used off the cooperative pool.
/// Not for use from two threads at once.
package final class ReadingDecoder {
    /// A word that was heard.
    package struct Word: Sendable, Equatable {
        /// As the text or the dictionary spells it; nil for sounds that are no word that is known.
        package let text: String?
        /// When it begins and ends, in seconds, to 10 ms.
        package let start: Double
        package let end: Double
    }

    /// How much heavier a language model's logarithms weigh than the sound's.
    private static let languageWeight = 10.0
    private static let vocabularySize = 20_000
    /// A run of free phones shorter than this is no word: 120 ms.
    private static let shortestUnknown = 12

    private let model: AcousticModel
    private let decoder: PocketSphinxDecoder
    private let frontEnd: FrontEnd
    private let common: CommonWords
    /// The text that the decoder is ready for: who reads it again need not wait.
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

    /// Takes the text that will be read: lower-case words as a dictionary spells them.
    ///
    /// - Returns: the words that nobody can judge, since no pronunciation of them is known; and for the words that sound like
    ///   another one of the text, the one that stands for all of them.
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

    /// The words in `samples`: 16 kHz mono, −1…1, at most a minute, of a stream whose sample `position` is the first.
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
