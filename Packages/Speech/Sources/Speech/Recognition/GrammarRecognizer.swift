// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
public import Diagnostics
import Dispatch

/// Recognises the sentences of a grammar with PocketSphinx, and rejects other utterances.
///
/// The grammar becomes a trigram model, so that a sentence with other small words is still understood. Since such a
/// model takes anything for a sentence, a second decoder recognises the same sound as free phones, and a sentence that
/// fits much worse is rejected. One utterance at a time: ``begin()``, ``process(_:)`` as often as needed, ``finish()``.
///
/// Sound is only stored as it arrives. The decoders run when the words are requested, in about a twentieth of the
/// utterance's length, because the level and the mean over the whole utterance make them right much more often in noise
/// than running guesses do. To get the words without waiting, request a ``draft()`` in each pause. Everything runs on
/// the actor's own queues.
public actor GrammarRecognizer {
    /// The longest utterance, in seconds; ``process(_:)`` throws for more.
    public static let longestUtterance = 60

    private nonisolated let executor: QueueExecutor
    private let wordDecoder: PocketSphinxDecoder
    private let phoneDecoder: PocketSphinxDecoder
    private let phoneQueue = DispatchQueue(label: "speech.recognizer.phones", qos: .userInitiated)
    private let frontEnd: FrontEnd
    private let scorer: RecognitionScorer
    private let logger: Logger
    private var samples: [Float] = []
    private var isActive = false

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Loads the model and compiles the grammar, both decoders at the same time.
    ///
    /// - Parameters:
    ///   - otherWords: Words that may also be said, anywhere, though they are in no sentence; they keep other
    ///     utterances from looking like a sentence.
    ///   - pronunciations: Phones in the model's notation (`"B OY S IY"`) for words that are missing in its dictionary,
    ///     or further ones for words in it. Possessives in `'s` are made from the word without it.
    ///   - contentWords: The words that carry the meaning, each of which has to fit well.
    /// - Throws: ``SpeechError`` with `modelMissing`, `modelDamaged`, `invalidGrammar` or `unknownWords`.
    public init(
        grammar: JSGFGrammar, otherWords: Set<String> = [], model: AcousticModel = .englishUS,
        pronunciations: [String: [String]] = [:], contentWords: Set<String> = [],
        rejection: RejectionThresholds = .default, logger: Logger = .disabled
    ) async throws {
        try model.check()
        let clock = ContinuousClock()
        let began = clock.now
        async let phones = Self.load("phones") { try PocketSphinxDecoder(phonesOf: model) }
        async let sentences = Self.load("words") {
            let words = grammar.words.union(otherWords)
            var dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: words)
            dictionary.add(pronunciations)
            let missing = dictionary.missing(of: words)
            guard missing.isEmpty else {
                throw SpeechError(
                    .unknownWords,
                    "Words of the grammar \(grammar.name) have no pronunciation: "
                        + missing.prefix(20).joined(separator: ", ") + ". Pass their phones in `pronunciations`.")
            }
            let trigrams = TrigramModel(try GrammarNetwork(grammar, otherWords: otherWords))
            return try PocketSphinxDecoder(arpa: trigrams.arpa(), dictionary: dictionary, model: model)
        }
        wordDecoder = try await sentences
        phoneDecoder = try await phones
        frontEnd = try wordDecoder.makeFrontEnd()
        executor = QueueExecutor(label: "speech.recognizer")
        scorer = RecognitionScorer(contentWords: contentWords, thresholds: rejection)
        self.logger = logger.with(category: "speech")
        let elapsed = clock.now - began
        self.logger.debug("loaded the recogniser in \("\(elapsed)", privacy: .public)")
    }

    /// Begins an utterance; drops an unfinished one.
    public func begin() {
        samples = []
        isActive = true
    }

    /// Takes the utterance's next sound, 16 kHz mono, any number of frames.
    ///
    /// - Throws: ``SpeechError`` with `formatNotSupported`, `tooLong` or `recognitionFailed`.
    public func process(_ buffer: AudioBuffer) throws {
        guard isActive else {
            throw SpeechError(.recognitionFailed, "Sound came in before an utterance was begun. Call begin() first.")
        }
        guard buffer.format == .speech else {
            throw SpeechError(
                .formatNotSupported,
                "The recogniser takes \(AudioFormat.speech), not \(buffer.format). Convert the sound first.")
        }
        guard samples.count + buffer.frameCount <= Self.longestUtterance * AudioFormat.speech.sampleRate else {
            throw SpeechError(
                .tooLong, "The utterance is longer than \(Self.longestUtterance) seconds. Split it at its pauses.")
        }
        samples += buffer.samples
    }

    /// The recognition of the sound so far; the utterance continues.
    public func draft() throws -> Recognition {
        let normalized = try features()
        let phones = PendingPhones(phoneDecoder, normalized, on: phoneQueue)
        let words = wordDecoder.decode(normalized)
        let recognition = scorer.score(sentence: words, phones: phones.wait() ?? [])
        logger.debug(
            "heard \(recognition.text), \("\(recognition.outcome) \(recognition.scores)", privacy: .public)")
        return recognition
    }

    /// The words of the sound so far, to show while a person speaks: quicker than a ``draft()``, because free phones are
    /// not compared, so that other speech has words too.
    public func guess() throws -> String { RecognitionScorer.text(of: wordDecoder.decode(try features()) ?? []) }

    private func features() throws -> Cepstra {
        guard isActive else {
            throw SpeechError(.recognitionFailed, "There is no utterance to recognise. Call begin() first.")
        }
        guard let cepstra = frontEnd.cepstra(of: InputGain.levelled(samples)) else {
            throw SpeechError(
                .recognitionFailed, "The utterance's features cannot be computed. Load the recogniser again.")
        }
        return cepstra.normalized()
    }

    /// Ends the utterance and returns its recognition.
    public func finish() throws -> Recognition {
        let recognition = try draft()
        cancel()
        return recognition
    }

    /// Drops the utterance.
    public func cancel() {
        isActive = false
        samples = []
    }

    private static func load(
        _ name: String, _ make: @escaping @Sendable () throws -> PocketSphinxDecoder
    ) async throws -> PocketSphinxDecoder {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "speech.load." + name, qos: .userInitiated).async {
                continuation.resume(with: Result(catching: make))
            }
        }
    }
}
