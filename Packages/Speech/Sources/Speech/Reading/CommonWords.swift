// SPDX-License-Identifier: MIT

import CPocketSphinx
import CSpeechCalls

/// The most frequent words of a language with their frequencies and pronunciations.
///
/// A reader may have said them instead of a text's words. Read once from the general language model of the acoustic
/// model; the rest of that model is dropped.
struct CommonWords {
    struct Word {
        let text: String
        /// The natural logarithm of the word's share of all words.
        let likelihood: Double
        let pronunciations: [Phones]
    }

    /// The words, the most frequent ones first.
    let words: [Word]

    /// Reads the `count` most frequent words; words that the model's dictionary cannot pronounce are left out.
    init(model: AcousticModel, count: Int) throws(SpeechError) {
        let ranked = try Self.ranked(model, count: count)
        let dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: Set(ranked.map(\.text)))
        words = ranked.compactMap { text, likelihood in
            let phones = (dictionary.entries[text] ?? []).compactMap { Phones($0) }
            return phones.isEmpty ? nil : Word(text: text, likelihood: likelihood, pronunciations: phones)
        }
    }

    private static func ranked(
        _ model: AcousticModel, count: Int
    ) throws(SpeechError) -> [(text: String, likelihood: Double)] {
        try model.check(model.wordLanguageModelPath)
        if let reason = cpocketsphinx_load() { throw SpeechError(.recognizerMissing, String(cString: reason)) }
        err_set_logfp(nil)
        guard let logarithms = logmath_init(1.0001, 0, 0) else { throw failure(model) }
        defer { logmath_free(logarithms) }
        guard let grams = ngram_model_read(nil, model.wordLanguageModelPath, binaryFormat, logarithms) else {
            throw failure(model)
        }
        defer { ngram_model_free(grams) }
        guard let counts = ngram_model_get_counts(grams) else { throw failure(model) }
        var scores: [(id: Int32, score: Int32)] = []
        for id in 0..<Int32(clamping: counts[0]) {
            var used: Int32 = 0
            scores.append((id, ngram_ng_score(grams, id, nil, 0, &used)))
        }
        // Ordered by id if two scores are equal, so that the choice is always the same.
        scores.sort { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
        return scores.prefix(count).compactMap { id, score in
            ngram_word(grams, id).map { (String(cString: $0), Double(score) * 0.000_099_995) }
        }
    }

    /// NGRAM_BIN of `<sphinxbase/ngram_model.h>`.
    private static let binaryFormat: Int32 = 2

    private static func failure(_ model: AcousticModel) -> SpeechError {
        SpeechError(
            .modelDamaged,
            "The language model \(model.wordLanguageModelPath) cannot be read. Reinstall the package pocketsphinx-en-us."
        )
    }
}
