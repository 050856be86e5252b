// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import Diagnostics
import Dispatch

/// Recognises the sentences of a grammar with PocketSphinx, and notices when something else is said.
///
/// A grammar alone takes anything for one of its sentences. So a second decoder hears the same sound as free phones, and
/// what fits much worse than these is rejected. Both decode while the sound arrives. The decoders run on a queue of the
/// actor's own. One utterance at a time: ``begin()``, ``process(_:)`` as often as needed, ``finish()``.
public actor GrammarRecognizer {
    /// The longest utterance, in seconds; ``process(_:)`` refuses more.
    public static let longestUtterance = 60

    private nonisolated let executor: QueueExecutor
    private let grammarDecoder: PocketSphinxDecoder
    private let phoneDecoder: PocketSphinxDecoder
    private let scorer: RecognitionScorer
    private let logger: Logger
    private var gain = InputGain()
    private var fedSamples = 0
    private var isActive = false

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Loads the model and compiles the grammar, both decoders at the same time.
    ///
    /// - Parameters:
    ///   - pronunciations: phones in the model's notation (`"B OY S IY"`) for words that its dictionary does not know,
    ///     or further ones for words that it knows. Possessives in `'s` are made from the word without it.
    ///   - contentWords: the words that carry the meaning, each of which has to fit well.
    /// - Throws: ``SpeechError`` with `modelMissing`, `modelDamaged`, `invalidGrammar` or `unknownWords`.
    public init(
        grammar: JSGFGrammar, model: AcousticModel = .englishUS, pronunciations: [String: [String]] = [:],
        contentWords: Set<String> = [], rejection: RejectionThresholds = .default, logger: Logger = .disabled
    ) async throws {
        try model.check()
        let clock = ContinuousClock()
        let began = clock.now
        async let phones = Self.load("phones") { try PocketSphinxDecoder(phonesOf: model) }
        async let sentences = Self.load("sentences") {
            var dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: grammar.words)
            dictionary.add(pronunciations)
            let missing = dictionary.missing(of: grammar.words)
            guard missing.isEmpty else {
                throw SpeechError(
                    .unknownWords,
                    "Words of the grammar \(grammar.name) have no pronunciation: "
                        + missing.prefix(20).joined(separator: ", ") + ". Pass their phones in `pronunciations`.")
            }
            return try PocketSphinxDecoder(grammar: grammar, dictionary: dictionary, model: model)
        }
        grammarDecoder = try await sentences
        phoneDecoder = try await phones
        executor = QueueExecutor(label: "speech.recognizer")
        scorer = RecognitionScorer(contentWords: contentWords, thresholds: rejection)
        self.logger = logger.with(category: "speech")
        let elapsed = clock.now - began
        self.logger.debug("loaded the recogniser in \("\(elapsed)", privacy: .public)")
    }

    /// Begins an utterance; an unfinished one is forgotten.
    public func begin() throws {
        if isActive { cancel() }
        guard grammarDecoder.begin(), phoneDecoder.begin() else {
            throw SpeechError(.recognitionFailed, "The recogniser cannot begin an utterance. Load it again.")
        }
        gain = InputGain()
        fedSamples = 0
        isActive = true
    }

    /// Takes the utterance's next sound, 16 kHz mono, any number of frames, and decodes it.
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
        fedSamples += buffer.frameCount
        guard fedSamples <= Self.longestUtterance * AudioFormat.speech.sampleRate else {
            throw SpeechError(
                .tooLong, "The utterance is longer than \(Self.longestUtterance) seconds. Split it at its pauses.")
        }
        try decode(gain.process(buffer.samples))
    }

    /// Ends the utterance and tells what was said. Most of the work is already done by then.
    public func finish() throws -> Recognition {
        guard isActive else {
            throw SpeechError(.recognitionFailed, "There is no utterance to finish. Call begin() first.")
        }
        try decode(gain.finish())
        isActive = false
        guard grammarDecoder.end(), phoneDecoder.end() else { return .silence }
        guard grammarDecoder.hasHypothesis else {
            return scorer.noSentence(phones: phoneDecoder.segments())
        }
        let recognition = scorer.score(sentence: grammarDecoder.segments(), phones: phoneDecoder.segments())
        logger.debug(
            "heard \(recognition.text), \("\(recognition.outcome) \(recognition.scores)", privacy: .public)")
        return recognition
    }

    /// Forgets the utterance.
    public func cancel() {
        guard isActive else { return }
        isActive = false
        _ = grammarDecoder.end()
        _ = phoneDecoder.end()
    }

    private func decode(_ samples: [Int16]) throws {
        guard !samples.isEmpty else { return }
        let decoded = samples.withUnsafeBufferPointer { grammarDecoder.process($0) && phoneDecoder.process($0) }
        guard decoded else {
            throw SpeechError(.recognitionFailed, "The recogniser gave up in mid-utterance. Begin again.")
        }
    }

    private static func load(
        _ name: String, _ make: @escaping @Sendable () throws -> PocketSphinxDecoder
    ) async throws -> PocketSphinxDecoder {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "speech.load." + name).async {
                continuation.resume(with: Result(catching: make))
            }
        }
    }
}
