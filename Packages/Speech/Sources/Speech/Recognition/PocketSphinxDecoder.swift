// SPDX-License-Identifier: MIT

import CPocketSphinx
internal import Glibc

/// One decoder of the C library and its one search.
///
/// SAFETY: a decoder has no state outside itself, and each instance is used by one thread at a time: by the queue that
/// makes it, then by the executor of the actor that owns it.
final class PocketSphinxDecoder: @unchecked Sendable {
    struct Segment {
        let word: String
        let frames: ClosedRange<Int>
        /// Natural logarithm.
        let acousticScore: Double
    }

    /// Scores are logarithms to the base 1.0001, shifted right by 10 bits.
    private static let naturalLogarithm = 1024 * 0.000_099_995

    private let decoder: OpaquePointer

    init(grammar: JSGFGrammar, dictionary: PronouncingDictionary, model: AcousticModel) throws(SpeechError) {
        let file = try MemoryFile(dictionary.text)
        decoder = try Self.make(model: model, [("-dict", file.path)])
        guard ps_set_jsgf_string(decoder, "grammar", grammar.text) == 0, ps_set_search(decoder, "grammar") == 0 else {
            throw SpeechError(
                .invalidGrammar,
                "The grammar \(grammar.name) cannot be compiled. Look for missing or recursive rules in its text.")
        }
    }

    /// Makes a decoder of free phones. The beams are narrow: with its defaults the search never ends.
    init(phonesOf model: AcousticModel) throws(SpeechError) {
        decoder = try Self.make(
            model: model,
            [
                ("-allphone", model.phoneLanguageModelPath), ("-allphone_ci", "yes"), ("-lw", "2.0"),
                ("-beam", "1e-20"), ("-pbeam", "1e-20"),
            ])
    }

    deinit { ps_free(decoder) }

    func begin() -> Bool { ps_start_stream(decoder) == 0 && ps_start_utt(decoder) == 0 }

    func process(_ samples: UnsafeBufferPointer<Int16>) -> Bool {
        ps_process_raw(decoder, samples.baseAddress, samples.count, 0, 0) >= 0
    }

    func end() -> Bool { ps_end_utt(decoder) == 0 }

    var frameCount: Int { Int(ps_get_n_frames(decoder)) }

    /// Whether a whole sentence fits; only after ``end()``.
    var hasHypothesis: Bool {
        var score: Int32 = 0
        return ps_get_hyp(decoder, &score) != nil
    }

    /// The best path, with fillers; empty without a hypothesis.
    func segments() -> [Segment] {
        var segments: [Segment] = []
        var cursor = ps_seg_iter(decoder)
        while let segment = cursor {
            var first: Int32 = 0
            var last: Int32 = 0
            ps_seg_frames(segment, &first, &last)
            var acoustic: Int32 = 0
            ps_seg_prob(segment, &acoustic, nil, nil)
            let word = ps_seg_word(segment).map { String(cString: $0) } ?? ""
            if first <= last {
                segments.append(
                    Segment(
                        word: word, frames: Int(first)...Int(last),
                        acousticScore: Double(acoustic) * Self.naturalLogarithm))
            }
            cursor = ps_seg_next(segment)
        }
        return segments
    }

    private static func make(
        model: AcousticModel, _ specific: [(String, String)]
    ) throws(SpeechError) -> OpaquePointer {
        err_set_logfp(nil)
        let options = [("-hmm", model.hmmDirectory), ("-compallsen", "yes")] + specific
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
}
