// SPDX-License-Identifier: MIT

import CPocketSphinx
import CSpeechCalls
internal import Glibc

/// One decoder of the C library, over whole utterances.
///
/// SAFETY: a decoder has no state outside itself, and each instance is used by one thread at a time: by the queue that
/// makes it, then by one queue of the actor that owns it, which waits for that queue.
final class PocketSphinxDecoder: @unchecked Sendable {
    struct Segment {
        let word: String
        let frames: ClosedRange<Int>
        /// The natural logarithm of the sound's likelihood.
        let acousticScore: Double
        /// Natural logarithm of the probability of the word after the two before it; meaningless for phones.
        let languageScore: Double
        /// The search's own score of the segment, natural logarithm; for keywords, against free phones.
        let posterior: Double
    }

    /// Scores are logarithms to the base 1.0001.
    private static let naturalLogarithm = 0.000_099_995
    /// The search for free phones returns scores shifted right by 10 bits, the one for words does not.
    private static let phoneScoreUnit = 1024.0

    static let languageWeight = 6.0
    private static let languageScoreUnit = 1024 * naturalLogarithm / languageWeight

    let decoder: OpaquePointer
    private let scoreUnit: Double
    private var isInUtterance = false

    /// Makes a decoder of words, of which each follows two others with the probability in the ARPA model.
    init(arpa: [UInt8], dictionary: PronouncingDictionary, model: AcousticModel) throws(SpeechError) {
        scoreUnit = Self.naturalLogarithm
        let words = try MemoryFile(dictionary.text.utf8)
        // The front end drops silence (`-remove_silence`), which a wake word's must not. Without it 128 instead of 129
        // of 130 clean questions are understood, 117 in either case at 20 dB, and 118 instead of 119 of 120 other
        // sentences are rejected (SpokenQuestionTests).
        decoder = try Self.make(
            model: model, [("-dict", words.path), ("-lw", "\(Self.languageWeight)"), ("-fwdflat", "no")])
        let languageModel = try MemoryFile(arpa)
        guard ps_set_lm_file(decoder, "words", languageModel.path) == 0, ps_set_search(decoder, "words") == 0 else {
            throw SpeechError(
                .invalidGrammar, "The grammar's language model cannot be loaded. Make the grammar smaller.")
        }
    }

    /// Makes a decoder of free phones. The beams are narrow: with its defaults the search never ends.
    init(phonesOf model: AcousticModel) throws(SpeechError) {
        scoreUnit = Self.naturalLogarithm * Self.phoneScoreUnit
        decoder = try Self.make(
            model: model,
            [
                ("-allphone", model.phoneLanguageModelPath), ("-allphone_ci", "yes"), ("-lw", "2.0"),
                ("-beam", "1e-20"), ("-pbeam", "1e-20"),
            ])
    }

    /// Makes a decoder without a search, of the words of `dictionary`, with further options of the library.
    init(dictionary: PronouncingDictionary, model: AcousticModel, options: [(String, String)]) throws(SpeechError) {
        scoreUnit = Self.naturalLogarithm * Self.phoneScoreUnit
        let words = try MemoryFile(dictionary.text.utf8)
        decoder = try Self.make(model: model, [("-dict", words.path)] + options)
    }

    /// Makes a decoder without a search, for ``use(dictionary:arpa:)``, with further options of the library.
    init(forWordsOf model: AcousticModel, options: [(String, String)]) throws(SpeechError) {
        scoreUnit = Self.naturalLogarithm
        let words = try MemoryFile("a AH\n".utf8)
        decoder = try Self.make(model: model, [("-dict", words.path)] + options)
    }

    /// Makes a decoder of free speech: all words of the model's dictionary, in its general model of words.
    init(dictationOf model: AcousticModel) throws(SpeechError) {
        scoreUnit = Self.naturalLogarithm
        // With the second pass (`-fwdflat`) 61 instead of 60 of 235 words were wrong, for a sixth more time; with beams
        // that are 2.5 times as fast 87.
        decoder = try Self.make(
            model: model,
            [("-dict", model.dictionaryPath), ("-lm", model.wordLanguageModelPath), ("-fwdflat", "no")])
    }

    deinit { ps_free(decoder) }

    /// Replaces the dictionary and the ARPA model of the search.
    func use(dictionary: PronouncingDictionary, arpa: [UInt8]) throws(SpeechError) {
        let words = try MemoryFile(dictionary.text.utf8)
        let languageModel = try MemoryFile(arpa)
        guard ps_load_dict(decoder, words.path, nil, nil) >= 0,
            ps_set_lm_file(decoder, "words", languageModel.path) == 0, ps_set_search(decoder, "words") == 0
        else {
            throw SpeechError(.invalidGrammar, "The text's language model cannot be loaded. Make the text shorter.")
        }
    }

    /// Makes a front end for the decoder's model. The decoder's own would be reset by each ``decode(_:)``.
    func makeFrontEnd() throws(SpeechError) -> FrontEnd {
        guard let frontEnd = fe_init_auto_r(ps_get_config(decoder)) else {
            throw SpeechError(
                .modelDamaged, "The acoustic model's features cannot be computed. Reinstall pocketsphinx-en-us.")
        }
        return FrontEnd(frontEnd)
    }

    /// Decodes a whole utterance of normalised cepstra.
    ///
    /// - Returns: See ``end()``.
    func decode(_ cepstra: Cepstra) -> [Segment]? {
        guard cepstra.frameCount > 0, begin() else { return nil }
        let isDecoded = cepstra.withRows { rows in
            ps_process_cep(decoder, rows.baseAddress, Int32(rows.count), 0, 1) >= 0
        }
        let segments = end()
        return isDecoded ? segments : nil
    }

    /// Begins an utterance whose cepstra come in pieces, and drops an unfinished one; false if the library fails.
    func begin() -> Bool {
        if isInUtterance { ps_end_utt(decoder) }
        isInUtterance = ps_start_stream(decoder) == 0 && ps_start_utt(decoder) == 0
        return isInUtterance
    }

    /// Decodes the next normalised cepstra of the utterance; false if the library fails.
    ///
    /// They go in few by few: the search is five frames behind the sound, in a ring of twelve, and the library skips each
    /// frame that more than seven new ones have pushed out.
    func process(_ cepstra: Cepstra) -> Bool {
        cepstra.withRows { rows in
            stride(from: 0, to: rows.count, by: 4).allSatisfy { first in
                let count = min(4, rows.count - first)
                return ps_process_cep(decoder, rows.baseAddress.map { $0 + first }, Int32(count), 0, 0) >= 0
            }
        }
    }

    /// Ends the utterance.
    ///
    /// - Returns: The best path with fillers; nil if there is no path.
    @discardableResult func end() -> [Segment]? {
        guard isInUtterance else { return nil }
        isInUtterance = false
        var score: Int32 = 0
        guard ps_end_utt(decoder) == 0, ps_get_hyp(decoder, &score) != nil else { return nil }
        return segments()
    }

    /// The best paths of the utterance that was decoded last, with fillers and without scores, best first.
    ///
    /// - Parameters:
    ///   - count: The most paths, of which several may have the same words.
    ///   - distance: The greatest distance of a path's score from the best one's, natural logarithm.
    func paths(_ count: Int, within distance: Double) -> [[Segment]] {
        var found: [[Segment]] = []
        var best: Int32?
        var paths = ps_nbest(decoder)
        while let path = paths, found.count < count {
            var score: Int32 = 0
            guard ps_nbest_hyp(path, &score) != nil else { break }
            let first = best ?? score
            best = first
            guard Double(first - score) * Self.naturalLogarithm <= distance else { break }
            found.append(Self.segments(from: ps_nbest_seg(path), scoreUnit: 0))
            paths = ps_nbest_next(path)
        }
        if let paths { ps_nbest_free(paths) }
        return found
    }

    /// The best path so far, with fillers.
    func segments() -> [Segment] { Self.segments(from: ps_seg_iter(decoder), scoreUnit: scoreUnit) }

    private static func segments(from first: OpaquePointer?, scoreUnit: Double) -> [Segment] {
        var segments: [Segment] = []
        var cursor = first
        while let segment = cursor {
            var first: Int32 = 0
            var last: Int32 = 0
            ps_seg_frames(segment, &first, &last)
            var acoustic: Int32 = 0
            var language: Int32 = 0
            var backoff: Int32 = 0
            let posterior = ps_seg_prob(segment, &acoustic, &language, &backoff)
            let word = ps_seg_word(segment).map { String(cString: $0) } ?? ""
            if first <= last {
                segments.append(
                    Segment(
                        word: word, frames: Int(first)...Int(last),
                        acousticScore: Double(acoustic) * scoreUnit,
                        languageScore: Double(language) * languageScoreUnit,
                        posterior: Double(posterior) * scoreUnit))
            }
            cursor = ps_seg_next(segment)
        }
        return segments
    }

    private static func make(
        model: AcousticModel, _ specific: [(String, String)]
    ) throws(SpeechError) -> OpaquePointer {
        if let reason = cpocketsphinx_load() { throw SpeechError(.recognizerMissing, String(cString: reason)) }
        err_set_logfp(nil)
        let features = try MemoryFile(try featureParameters(of: model).utf8)
        let options =
            [("-hmm", model.hmmDirectory), ("-featparams", features.path)] + specific
        let strings = ["recognizer"] + options.flatMap { [$0.0, $0.1] }
        var arguments = strings.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        guard
            let configuration = cmd_ln_parse_r(nil, ps_args(), Int32(arguments.count), &arguments, 1),
            let decoder = ps_init(configuration)
        else {
            throw SpeechError(
                .modelDamaged,
                "The acoustic model in \(model.hmmDirectory) cannot be loaded. Reinstall the package pocketsphinx-en-us."
            )
        }
        cmd_ln_free_r(configuration)
        return decoder
    }

    /// The model's own parameters, but without mean subtraction, which ``Cepstra`` does.
    private static func featureParameters(of model: AcousticModel) throws(SpeechError) -> String {
        let text = try model.text(of: model.hmmDirectory + "/feat.params")
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-cmn ") && !$0.hasPrefix("-cmninit ") }
        return lines.joined(separator: "\n") + "\n-cmn none\n"
    }
}
