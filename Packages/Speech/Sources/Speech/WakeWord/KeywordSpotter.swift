// SPDX-License-Identifier: MIT

import CPocketSphinx
internal import Glibc

/// PocketSphinx's keyword spotting: finds candidates for phrases in cepstra, and their scores against free phones.
///
/// SAFETY: used by one thread at a time, like the decoder that it owns.
final class KeywordSpotter: @unchecked Sendable {
    /// The effort of the search. A faster search is less exact.
    struct Effort {
        /// A phrase is reported from this ratio of its likelihood to that of free phones on.
        let threshold: String
        /// The Gaussians are selected again after this number of frames.
        let downsampling: Int
        /// The number of frames before a candidate is reported, since a better end may follow.
        let delay: Int

        /// For the whole stream: half the time, and no candidate less on the labelled set.
        static let stream = Effort(threshold: "1e-70", downsampling: 2, delay: 10)
        /// For a second of sound, whose end may be the end of the phrase.
        static let closer = Effort(threshold: "1e-150", downsampling: 1, delay: 0)
    }

    /// A possible occurrence of a phrase.
    struct Candidate {
        let keyphrase: String
        /// Counted from ``begin()``.
        let frames: ClosedRange<Int>
        /// The likelihood of the phrase against free phones: natural logarithm.
        let score: Double
    }

    /// The constant that the library subtracts from each score (its `KWS_MAX`), as a natural logarithm.
    private static let offset = 1500 * 1024 * 0.000_099_995

    private let decoder: PocketSphinxDecoder
    private var isActive = false

    /// - Parameter keyphrases: The phrases to find, in words of `dictionary`, numbered if they have several
    ///   pronunciations. Phrases with phones that are missing in the model are left out.
    init(
        _ keyphrases: [String], dictionary: PronouncingDictionary, model: AcousticModel, effort: Effort
    ) throws(SpeechError) {
        decoder = try PocketSphinxDecoder(
            dictionary: dictionary, model: model,
            options: [
                // The library's own detection of speech drops frames, so that positions would not agree.
                ("-remove_silence", "no"), ("-beam", "1e-80"), ("-wbeam", "1e-80"), ("-pbeam", "1e-80"),
                ("-ds", "\(effort.downsampling)"), ("-kws_delay", "\(effort.delay)"),
            ])
        let decoder = decoder
        let known = keyphrases.filter { $0.split(separator: " ").allSatisfy { decoder.knows(String($0)) } }
        let list = try MemoryFile(known.map { "\($0) /\(effort.threshold)/\n" }.joined().utf8)
        guard !known.isEmpty, ps_set_kws(decoder.decoder, "phrase", list.path) == 0,
            ps_set_search(decoder.decoder, "phrase") == 0
        else {
            throw SpeechError(
                .unknownWords,
                "The phrase's phones are not those of the acoustic model. Write them as its dictionary does, as in "
                    + "\"HH AH L OW\".")
        }
    }

    deinit { if isActive { end() } }

    func makeFrontEnd() throws(SpeechError) -> FrontEnd { try decoder.makeFrontEnd() }

    /// Begins a search; drops one that is running.
    func begin() {
        if isActive { end() }
        isActive = ps_start_stream(decoder.decoder) == 0 && ps_start_utt(decoder.decoder) == 0
    }

    /// Searches the next rows, normalised; false if the library fails.
    func process(_ cepstra: Cepstra) -> Bool {
        guard isActive else { return false }
        return cepstra.withRows { rows in
            ps_process_cep(decoder.decoder, rows.baseAddress, Int32(rows.count), 0, 0) >= 0
        }
    }

    /// Ends the search: ``candidates()`` then also includes candidates that ended just now.
    func end() {
        ps_end_utt(decoder.decoder)
        isActive = false
    }

    /// All candidates since ``begin()``, for each keyphrase the best of those that overlap.
    func candidates() -> [Candidate] {
        var score: Int32 = 0
        guard ps_get_hyp(decoder.decoder, &score) != nil else { return [] }
        return decoder.segments().map { segment in
            // The library ends some names with a blank.
            let name = segment.word.hasSuffix(" ") ? String(segment.word.dropLast()) : segment.word
            return Candidate(keyphrase: name, frames: segment.frames, score: segment.posterior + Self.offset)
        }
    }
}

extension PocketSphinxDecoder {
    /// True if a word was loaded; words with unknown phones are not.
    fileprivate func knows(_ word: String) -> Bool {
        guard let phones = ps_lookup_word(decoder, word) else { return false }
        free(phones)
        return true
    }
}
