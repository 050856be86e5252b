// SPDX-License-Identifier: MIT

import CPocketSphinx
internal import Glibc

/// The first stage: a search for the phrase in a stream of cepstra that lets little of it through and much else.
///
/// SAFETY: used by one thread at a time, like the decoder that it owns.
final class KeywordSpotter: @unchecked Sendable {
    /// Where the phrase may be, in frames since ``begin()``.
    struct Candidate {
        let frames: ClosedRange<Int>
        let score: Double
    }

    private let decoder: PocketSphinxDecoder
    private var isActive = false

    /// - Parameter keyphrases: ways to say the phrase, in words of `dictionary`.
    init(
        keyphrases: [String], dictionary: PronouncingDictionary, model: AcousticModel, threshold: String
    ) throws(SpeechError) {
        decoder = try PocketSphinxDecoder(
            dictionary: dictionary, model: model,
            options: [("-remove_silence", "no"), ("-beam", "1e-80"), ("-wbeam", "1e-80"), ("-pbeam", "1e-80")])
        for word in dictionary.entries.keys.sorted() {
            guard let phones = ps_lookup_word(decoder.decoder, word) else {
                throw SpeechError(
                    .unknownWords,
                    "The phones of “\(word)” are not all in the acoustic model's notation. Write them as in \"HH AH L OW\"."
                )
            }
            free(phones)
        }
        let list = try MemoryFile(keyphrases.map { "\($0) /\(threshold)/\n" }.joined().utf8)
        guard ps_set_kws(decoder.decoder, "phrase", list.path) == 0, ps_set_search(decoder.decoder, "phrase") == 0
        else {
            throw SpeechError(.invalidPhrase, "The phrase cannot be searched for. Choose another one.")
        }
    }

    func makeFrontEnd() throws(SpeechError) -> FrontEnd { try decoder.makeFrontEnd() }

    func begin() {
        if isActive { end() }
        isActive = ps_start_stream(decoder.decoder) == 0 && ps_start_utt(decoder.decoder) == 0
    }

    /// Searches the next rows; false when the library gives up.
    func process(_ cepstra: Cepstra) -> Bool {
        guard isActive else { return false }
        return cepstra.withRows { rows in
            ps_process_cep(decoder.decoder, rows.baseAddress, Int32(rows.count), 0, 0) >= 0
        }
    }

    /// Ends the stream of cepstra; ``candidates()`` then also has what ended just now.
    func end() {
        ps_end_utt(decoder.decoder)
        isActive = false
    }

    /// All that was found since ``begin()`` and was over some frames ago.
    func candidates() -> [Candidate] {
        var score: Int32 = 0
        guard ps_get_hyp(decoder.decoder, &score) != nil else { return [] }
        return decoder.segments().map { Candidate(frames: $0.frames, score: $0.acousticScore) }
    }
}
