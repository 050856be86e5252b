// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
public import Diagnostics
public import SpeechEngines

/// Writes down free English by PocketSphinx's general model of words: an emergency, while no better engine is there.
///
/// It is rough: of what people say it gets a large part of the words wrong (docs/speech.md has the measured rates), and
/// it has words for anything that sounds like speech; for noise, in which free phones hear no phones, it has none. Use
/// ``GrammarRecognizer`` where the sentences are known. The decoders run on queues of their own. Each search for words
/// takes about a third of the sound's length.
///
/// The words that it shows while somebody speaks come from a search that follows the sound. The final ones come from a
/// second search of the whole utterance, with its own level and mean, which counts most for short ones. One utterance at a
/// time has words meanwhile; others, which may be recognised beside it, have final ones.
public actor DictationRecognizer {
    /// An utterance whose sound is searched while it comes in.
    private struct Live {
        let utterance: Int
        var mean: RunningMean
        var hasBegun = false
        var waiting: [Float] = []
        /// The level of the whole is not known yet; the mean takes most of it out.
        var gain = InputGain(factor: 1)
    }

    /// The least sound before the first search, whose mean must have speech in it, and between two.
    private static let steps = (first: 8_000, next: 3_200)

    private static let scorer = RecognitionScorer(contentWords: [], thresholds: .none)
    /// The words of noise fit better than free phones, which hear none in it: by 0.98 to 1.8 a frame in hiss and rumble. The
    /// words of 113 utterances by seven voices fit worse, by 1.38 to 5.7.
    private static let noiseScore = -0.2

    private nonisolated let executor = QueueExecutor(label: "speech.dictation")
    private let decoder: PocketSphinxDecoder
    private let phones: DecodingLane
    private let frontEnd: FrontEnd
    private let showsWords: Bool
    private let logger: Logger
    private var utterances = 0
    private var live: Live?

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Loads the model: a second or more, and about 130 MB.
    ///
    /// - Parameter showsWords: False for final words alone, in half of the processor time.
    /// - Throws: ``SpeechError`` with `modelMissing`, which names the package to install, `recognizerMissing` or
    ///   `modelDamaged`.
    public init(
        model: AcousticModel = .englishUS, showsWords: Bool = true, logger: Logger = .disabled
    ) async throws(SpeechError) {
        let clock = ContinuousClock()
        let began = clock.now
        (decoder, phones, frontEnd) = try await BlockingCall.run { () throws(SpeechError) in
            try model.check(model.wordLanguageModelPath)
            let decoder = try PocketSphinxDecoder(dictationOf: model)
            let phones = DecodingLane(try PocketSphinxDecoder(phonesOf: model), label: "speech.dictation.phones")
            return (decoder, phones, try decoder.makeFrontEnd())
        }
        self.showsWords = showsWords
        self.logger = logger.with(category: "speech")
        let elapsed = clock.now - began
        self.logger.debug("loaded the dictation in \("\(elapsed)", privacy: .public)")
    }

    /// Begins an utterance; its sound is searched as it comes in if no other one's is.
    private func begin() -> Int {
        utterances += 1
        if showsWords, live == nil {
            live = Live(utterance: utterances, mean: RunningMean(dimensions: frontEnd.dimensions))
        }
        return utterances
    }

    /// Takes the next sound of an utterance; the words so far if they were searched for.
    private func hear(_ samples: [Float], of utterance: Int) -> String? {
        guard live?.utterance == utterance, var current = live else { return nil }
        current.waiting += samples
        defer { live = current }
        guard current.waiting.count >= (current.hasBegun ? Self.steps.next : Self.steps.first) else { return nil }
        if !current.hasBegun {
            guard frontEnd.begin(), decoder.begin() else { return nil }
            current.hasBegun = true
        }
        guard let cepstra = frontEnd.next(current.gain.scaled(current.waiting)) else { return nil }
        current.waiting = []
        current.mean.observe(cepstra)
        guard decoder.process(current.mean.normalize(cepstra)) else { return nil }
        return RecognitionScorer.text(of: decoder.segments())
    }

    /// Ends the search of the sound that comes in: of this utterance, or of any.
    private func endLive(of utterance: Int? = nil) {
        guard let current = live, utterance == nil || utterance == current.utterance else { return }
        if current.hasBegun { decoder.end() }
        live = nil
    }

    /// The words of a whole utterance.
    private func words(of samples: [Float]) throws(SpeechError) -> Transcription {
        endLive()
        guard !samples.isEmpty else { return Transcription("") }
        guard let cepstra = frontEnd.cepstra(of: InputGain.levelled(samples)) else {
            throw SpeechError(
                .recognitionFailed, "The utterance's features cannot be computed. Load the recogniser again.")
        }
        let normalized = cepstra.normalized()
        phones.begin()
        phones.feed(normalized)
        let words = (decoder.decode(normalized) ?? []).filter { !RecognitionScorer.isFiller($0.word) }
        let recognition = Self.scorer.score(sentence: words, phones: phones.end() ?? [])
        // A word in the first moments of a noise that goes on fills a tenth of it, the shortest one between pauses more.
        guard recognition.outcome == .accepted, recognition.scores.utterance < Self.noiseScore,
            recognition.scores.speechFrames * 8 > samples.count / 160
        else {
            logger.debug("heard no speech")
            return Transcription("")
        }
        let text = recognition.text
        logger.debug("heard \(text)")
        return Transcription(
            text, language: "en",
            segments: words.map {
                Transcription.Segment(
                    text: RecognitionScorer.spelling($0.word), start: .milliseconds(10 * $0.frames.lowerBound),
                    end: .milliseconds(10 * ($0.frames.upperBound + 1)))
            })
    }
}

extension DictationRecognizer: SpeechRecognizer {
    /// 16 kHz mono.
    public nonisolated var format: AudioFormat { .speech }

    /// See `SpeechRecognizer`; an utterance is at most ``GrammarRecognizer/longestUtterance`` seconds long. It does not
    /// tell how sure it is.
    ///
    /// - Throws: ``SpeechError`` with `formatNotSupported`, `tooLong` or `recognitionFailed`.
    public nonisolated func recognize(
        _ sound: AsyncStream<AudioBuffer>
    ) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream<RecognitionEvent, any Error>.makeStream()
        let task = Task {
            let utterance = await begin()
            do {
                var whole: [Float] = []
                var shown = ""
                for await buffer in sound {
                    try GrammarRecognizer.check(buffer, after: whole.count)
                    whole += buffer.samples
                    guard let words = await hear(buffer.samples, of: utterance), !words.isEmpty, words != shown else {
                        continue
                    }
                    shown = words
                    continuation.yield(.partial(words))
                }
                try Task.checkCancellation()
                continuation.yield(.final(try await words(of: whole)))
                continuation.finish()
            } catch {
                await endLive(of: utterance)
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
