// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
public import Diagnostics

/// Recognises the sentences of a grammar with PocketSphinx, and rejects other utterances.
///
/// The grammar becomes a trigram model, so that a sentence with other small words is still understood. Since such a
/// model takes anything for a sentence, a second decoder recognises the same sound as free phones, and a sentence that
/// fits much worse is rejected. One utterance at a time: ``begin()``, ``process(_:)`` as often as needed, ``finish()``.
///
/// The decoders follow the sound while somebody speaks, so that the words are there at once when a ``draft()`` is requested in
/// a pause. For that they take the level and the mean of the last three utterances that were understood, since those of the
/// utterance itself are known only at its end. If these turn out not to fit (another person, another place), and for the
/// first utterance, the whole is decoded by its own when the words are requested, in a twentieth of its length or more.
/// Everything runs on the actor's own queues.
public actor GrammarRecognizer {
    /// The longest utterance, in seconds; ``process(_:)`` throws for more. More than the five minutes of an engine, in whose
    /// place it hears.
    public static let longestUtterance = 360

    private static let mostPaths = 100
    /// Natural logarithm, over the whole utterance.
    private static let pathDistance = 100.0

    /// The sound after a draft from which on the person is taken to have gone on, so that the decoders begin again. The
    /// pause after the end of a question is shorter.
    private static let framesToGoOn = AudioFormat.speech.frames(in: .milliseconds(300))

    private nonisolated let executor: QueueExecutor
    /// One for each subject.
    private let words: [DecodingLane]
    private let phones: DecodingLane
    private let subjects: [RecognitionSubject]
    private let scorers: [RecognitionScorer]
    private let logger: Logger
    private var search: SoundSearch
    private var known = KnownChannel()
    private var samples: [Float] = []
    private var isActive = false
    /// The level and mean of the last draft, if that was a sentence.
    private var understood: Channel?
    /// The length of the utterance at the last draft.
    private var drafted: Int?

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

    /// Loads the model and compiles the grammars, one after the other.
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
        async let phoneDecoder = BlockingCall.run { try PocketSphinxDecoder(phonesOf: model) }
        // One after the other: a second one at the same time doubles the most memory, which loading takes.
        let (decoders, frontEnd) = try await BlockingCall.run {
            let dictionary = try Self.dictionary(of: subjects, model: model, pronunciations: pronunciations)
            let decoders = try subjects.map { subject in
                let network = try GrammarNetwork(subject.grammar, otherWords: subject.otherWords)
                return try PocketSphinxDecoder(arpa: TrigramModel(network).arpa(), dictionary: dictionary, model: model)
            }
            return (decoders, try decoders[0].makeFrontEnd())
        }
        phones = DecodingLane(try await phoneDecoder, label: "speech.recognizer.phones")
        words = decoders.map { DecodingLane($0, label: "speech.recognizer.words") }
        search = SoundSearch(frontEnd)
        executor = QueueExecutor(label: "speech.recognizer")
        self.subjects = subjects
        scorers = subjects.map { RecognitionScorer(contentWords: $0.contentWords, thresholds: $0.rejection) }
        self.logger = logger.with(category: "speech")
        let elapsed = clock.now - began
        self.logger.debug("loaded the recogniser in \("\(elapsed)", privacy: .public)")
    }

    /// Begins an utterance; drops an unfinished one.
    public func begin() {
        cancel()
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
        if !search.isOpen, samples.count >= (drafted ?? 0) + Self.framesToGoOn, let channel = known.channel {
            try search.begin(by: channel, on: words + [phones])
        }
        if search.isOpen { try search.follow(samples) }
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
        try search.begin(with: sound.samples, on: [words[0], phones])
        return found()
    }

    /// The recognition of the sound so far; the utterance continues.
    public func draft() throws -> Recognition {
        guard isActive else { throw Self.nothingBegun }
        let lanes = [words[0], phones]
        if !search.isOpen, let channel = known.channel { try search.begin(by: channel, on: lanes) }
        let isFollowed = try search.isOpen && search.followIfFitting(samples)
        if !isFollowed { try search.begin(with: samples, on: lanes) }
        logger.debug("the search \(isFollowed ? "has followed the sound" : "begins now", privacy: .public)")
        let recognition = found()
        understood = recognition.outcome == .accepted ? search.own : nil
        drafted = samples.count
        return recognition
    }

    /// Ends the search, and chooses among what the lanes found.
    private func found() -> Recognition {
        search.close()
        let reference = phones.end() ?? []
        var best = SubjectHypothesis(subjects[0], scorers[0].score(sentence: words[0].end(), phones: reference))
        // A clear sentence of the first subject needs no comparison.
        for index in subjects.indices.dropFirst() where !best.isClear {
            search.include(words[index])
            let other = SubjectHypothesis(
                subjects[index], scorers[index].score(sentence: words[index].end(), phones: reference))
            guard other.isBetter(than: best) else { continue }
            best = other.orSentence { words[index].paths(Self.mostPaths, within: Self.pathDistance) } ?? best
        }
        let recognition = best.recognition
        logger.debug(
            "heard \(recognition.text), \("\(recognition.outcome) \(recognition.scores)", privacy: .public)")
        return recognition
    }

    /// The words of the sound so far, to show while a person speaks. They are not compared with free phones, so that other
    /// speech has words too.
    public func guess() throws -> String {
        guard isActive else { throw Self.nothingBegun }
        let isFollowing = search.isOpen
        if !isFollowing { try search.begin(with: samples, on: words) }
        let guesses = zip(scorers, words).map { scorer, lane in scorer.score(sentence: lane.segments(), phones: []) }
        // The level and mean of a part are no good for the rest.
        if !isFollowing { search.close() }
        return guesses.max { $0.scores.sentence < $1.scores.sentence }?.text ?? ""
    }

    private static let nothingBegun = SpeechError(
        .recognitionFailed, "There is no utterance to recognise. Call begin() first.")

    /// Ends the utterance and returns its recognition.
    public func finish() throws -> Recognition {
        let recognition = try draft()
        cancel()
        return recognition
    }

    /// Drops the utterance.
    public func cancel() {
        if let understood { known.observe(understood) }
        (understood, drafted, isActive, samples) = (nil, nil, false, [])
        search.close()
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
