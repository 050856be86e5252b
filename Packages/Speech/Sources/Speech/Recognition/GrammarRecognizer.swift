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

    private static let mostPaths = 100
    /// Natural logarithm, over the whole utterance.
    private static let pathDistance = 100.0

    private nonisolated let executor: QueueExecutor
    private let wordDecoder: PocketSphinxDecoder
    private let phoneDecoder: PocketSphinxDecoder
    private let phoneQueue = DispatchQueue(label: "speech.recognizer.phones", qos: .userInitiated)
    private let frontEnd: FrontEnd
    private let subjects: [RecognitionSubject]
    private let scorers: [RecognitionScorer]
    private let logger: Logger
    private var samples: [Float] = []
    private var isActive = false

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Loads the model and compiles the grammar of one subject.
    ///
    /// - Parameters: See ``RecognitionSubject`` and ``init(subjects:model:pronunciations:logger:)``.
    /// - Throws: ``SpeechError`` with `modelMissing`, `modelDamaged`, `invalidGrammar` or `unknownWords`.
    public init(
        grammar: JSGFGrammar, otherWords: Set<String> = [], model: AcousticModel = .englishUS,
        pronunciations: [String: [String]] = [:], contentWords: Set<String> = [],
        rejection: RejectionThresholds = .default, logger: Logger = .disabled
    ) async throws {
        let subject = RecognitionSubject(
            grammar: grammar, otherWords: otherWords, contentWords: contentWords, rejection: rejection)
        try await self.init(subjects: [subject], model: model, pronunciations: pronunciations, logger: logger)
    }

    /// Loads the model and compiles the grammars, all at the same time.
    ///
    /// - Parameters:
    ///   - subjects: The subjects, at least one; see ``RecognitionSubject``.
    ///   - pronunciations: Phones in the model's notation (`"B OY S IY"`) for words that are missing in its dictionary,
    ///     or further ones for words in it. Possessives in `'s` are made from the word without it.
    /// - Throws: ``SpeechError`` with `modelMissing`, `modelDamaged`, `invalidGrammar` or `unknownWords`.
    public init(
        subjects: [RecognitionSubject], model: AcousticModel = .englishUS, pronunciations: [String: [String]] = [:],
        logger: Logger = .disabled
    ) async throws {
        try model.check()
        let clock = ContinuousClock()
        let began = clock.now
        async let phones = BlockingCall.run { try PocketSphinxDecoder(phonesOf: model) }
        async let languageModels = Self.languageModels(of: subjects)
        async let dictionary = BlockingCall.run {
            try Self.dictionary(of: subjects, model: model, pronunciations: pronunciations)
        }
        let (arpas, entries) = try await (languageModels, dictionary)
        wordDecoder = try await BlockingCall.run {
            try PocketSphinxDecoder(arpas: arpas, dictionary: entries, model: model)
        }
        phoneDecoder = try await phones
        frontEnd = try wordDecoder.makeFrontEnd()
        executor = QueueExecutor(label: "speech.recognizer")
        self.subjects = subjects
        scorers = subjects.map { RecognitionScorer(contentWords: $0.contentWords, thresholds: $0.rejection) }
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
        try Self.check(buffer, after: samples.count)
        samples += buffer.samples
    }

    /// Refuses a buffer that does not fit behind so many frames.
    static func check(_ buffer: AudioBuffer, after frames: Int) throws(SpeechError) {
        guard buffer.format == .speech else {
            throw SpeechError(
                .formatNotSupported,
                "The recogniser takes \(AudioFormat.speech), not \(buffer.format). Convert the sound first.")
        }
        guard frames + buffer.frameCount <= longestUtterance * AudioFormat.speech.sampleRate else {
            throw SpeechError(
                .tooLong, "The utterance is longer than \(longestUtterance) seconds. Split it at its pauses.")
        }
    }

    /// The recognition of a whole utterance beside the one that was begun.
    func recognition(of sound: AudioBuffer) throws -> Recognition {
        let begun = (samples, isActive)
        defer { (samples, isActive) = begun }
        (samples, isActive) = (sound.samples, true)
        return try draft()
    }

    /// The recognition of the sound so far; the utterance continues.
    public func draft() throws -> Recognition {
        let normalized = try features()
        let phones = PendingPhones(phoneDecoder, normalized, on: phoneQueue)
        let words = wordDecoder.decode(normalized, search: 0)
        let reference = phones.wait() ?? []
        var best = SubjectHypothesis(subjects[0], scorers[0].score(sentence: words, phones: reference))
        // A clear sentence of the first subject needs no comparison, which would take as long again.
        for index in subjects.indices.dropFirst() where !best.isClear {
            let words = wordDecoder.decode(normalized, search: index)
            let other = SubjectHypothesis(subjects[index], scorers[index].score(sentence: words, phones: reference))
            guard other.isBetter(than: best) else { continue }
            best =
                other.orSentence { wordDecoder.paths(ofSearch: index, Self.mostPaths, within: Self.pathDistance) }
                ?? best
        }
        let recognition = best.recognition
        logger.debug(
            "heard \(recognition.text), \("\(recognition.outcome) \(recognition.scores)", privacy: .public)")
        return recognition
    }

    /// The words of the sound so far, to show while a person speaks: quicker than a ``draft()``, because free phones are
    /// not compared, so that other speech has words too.
    public func guess() throws -> String {
        let normalized = try features()
        let guesses = zip(scorers, subjects.indices).map { scorer, index in
            scorer.score(sentence: wordDecoder.decode(normalized, search: index), phones: [])
        }
        return guesses.max { $0.scores.sentence < $1.scores.sentence }?.text ?? ""
    }

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

    private static func languageModels(of subjects: [RecognitionSubject]) async throws -> [[UInt8]] {
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for (index, subject) in subjects.enumerated() {
                group.addTask {
                    let arpa = try await BlockingCall.run {
                        TrigramModel(try GrammarNetwork(subject.grammar, otherWords: subject.otherWords)).arpa()
                    }
                    return (index, arpa)
                }
            }
            var arpas = [[UInt8]](repeating: [], count: subjects.count)
            for try await (index, arpa) in group { arpas[index] = arpa }
            return arpas
        }
    }

    private static func dictionary(
        of subjects: [RecognitionSubject], model: AcousticModel, pronunciations: [String: [String]]
    ) throws -> PronouncingDictionary {
        let words = subjects.reduce(into: Set<String>()) { $0.formUnion($1.grammar.words.union($1.otherWords)) }
        var dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: words)
        dictionary.add(pronunciations)
        let missing = dictionary.missing(of: words)
        guard missing.isEmpty else {
            let names = subjects.map(\.grammar.name).joined(separator: ", ")
            throw SpeechError(
                .unknownWords,
                "Words of the grammar \(names) have no pronunciation: "
                    + missing.prefix(20).joined(separator: ", ") + ". Pass their phones in `pronunciations`.")
        }
        return dictionary
    }
}
