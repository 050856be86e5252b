// SPDX-License-Identifier: MIT

public import SpeechEngines

/// The words that a Whisper model invents for silence, such as "Thanks for watching!", and their removal.
///
/// Both limits are Whisper's own (`transcribe.py` of openai/whisper: `no_speech_threshold` and `logprob_threshold`): a
/// segment goes only if the model itself thinks that nobody spoke, and is unsure of its words too.
public enum NoSpeechRule {
    /// The least `no_speech_prob` of a segment that is dropped.
    public static let noSpeechProbability = 0.6
    /// The greatest `avg_logprob` of a segment that is dropped.
    public static let averageLogProbability = -1.0

    /// True for a segment that is no speech. A segment without a word outside brackets, such as `[BLANK_AUDIO]` or
    /// `(silence)`, is a note of the model.
    public static func discards(_ segment: Transcription.Segment) -> Bool {
        let words = segment.text.replacing(/\[[^\]]*\]|\([^)]*\)/, with: "")
        if words.count < segment.text.count, !words.hasWords { return true }
        guard let noSpeech = segment.noSpeechProbability, let average = segment.averageLogProbability else {
            return false
        }
        return noSpeech > noSpeechProbability && average < averageLogProbability
    }

    /// The transcription without segments that are no speech; unchanged if it has none.
    public static func applied(to transcription: Transcription) -> Transcription {
        let kept = transcription.segments.filter { !discards($0) }
        guard kept.count < transcription.segments.count else { return transcription }
        var result = transcription
        result.segments = kept
        result.text = kept.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        if kept.isEmpty { result.confidence = nil }
        return result
    }
}
