// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Concurrency
public import Diagnostics
public import Speech
public import VoiceActivity

/// Evaluates recordings of a person who reads a known text: offline, in one pass, in bounded memory.
///
/// Words are judged in English, by PocketSphinx with a language model made from the text; everything else is measured
/// in any language. One evaluation at a time runs on the actor's own queue, others wait for it; make several evaluators
/// to run several at once, each with about 60 MB for its model. A cancelled task ends its evaluation with
/// `CancellationError` within a piece of the recording (a second or two).
public actor ReadingEvaluator {
    /// The shortest pause and the limits of a reading.
    public struct Configuration: Sendable {
        /// The shortest pause that is reported: by default 250 ms, below which silence is mostly articulation (De Jong
        /// and Bosker, 2013). At least 100 ms.
        public var shortestPause = Duration.milliseconds(250)
        /// The most words of a text; longer ones are refused.
        public var mostWords = 2_000
        /// The longest recording; longer ones are refused.
        public var longestRecording = Duration.seconds(4 * 3_600)

        /// Makes the default configuration.
        public init() {}
    }

    private nonisolated let executor = QueueExecutor(label: "speech.evaluation")
    private let configuration: Configuration
    private let model: AcousticModel
    private let weights: SileroWeights?
    private let logger: Logger
    private var decoder: ReadingDecoder?

    /// See `Actor`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Makes an evaluator; the first evaluation that needs the recogniser's model loads it, or ``load()``.
    ///
    /// - Parameters:
    ///   - model: The acoustic model of English.
    ///   - weights: The weights of the Silero network, which finds speech better in the field than the spectral
    ///     detector, the default; `try? SileroWeights()` loads the installed ones.
    public init(
        configuration: Configuration = Configuration(), model: AcousticModel = .englishUS,
        weights: SileroWeights? = nil,
        logger: Logger = .disabled
    ) {
        self.configuration = configuration
        self.model = model
        self.weights = weights
        self.logger = logger.with(category: "evaluation")
    }

    /// Loads the recogniser's model, so that the first evaluation is faster: about 0.1 s of processor time.
    ///
    /// - Throws: ``EvaluationError`` with `recognizerFailed`. A missing model is no error here: see
    ///   ``ReadingEvaluation/wordsUnavailable``.
    public func load() throws {
        _ = try readingDecoder()
    }

    /// Evaluates the sound file at `path`, in any format that `SoundFileReader` reads.
    ///
    /// - Parameters:
    ///   - text: The text to be read.
    ///   - language: Its BCP 47 tag; words are judged for `en` and tags that begin with `en-`, as American English.
    /// - Throws: ``EvaluationError`` with `nothingToRead`, `textTooLong`, `emptyRecording`, `recordingTooLong`,
    ///   `unreadableRecording` or `recognizerFailed`; `CancellationError`.
    public func evaluate(
        fileAt path: String, expected text: String, language: String
    ) async throws -> ReadingEvaluation {
        let words = try expectedWords(text, language)
        let reader: SoundFileReader
        do {
            let longest = configuration.longestRecording
            reader = try Self.reading { () throws(AudioError) in try SoundFileReader(path: path, longest: longest) }
        } catch {
            // Without this check a cancelled evaluation would report a recording that cannot be read.
            try Task.checkCancellation()
            throw error
        }
        return try evaluate(words, language, format: reader.format) { () throws(AudioError) in
            try reader.read(frames: 4_096)
        }
    }

    /// Evaluates the rest of `reader`'s sound, for sources other than a plain file. See
    /// ``evaluate(fileAt:expected:language:)``.
    public func evaluate(
        _ reader: sending SoundFileReader, expected text: String, language: String
    ) async throws -> ReadingEvaluation {
        let words = try expectedWords(text, language)
        return try evaluate(words, language, format: reader.format) { () throws(AudioError) in
            try reader.read(frames: 4_096)
        }
    }

    /// Evaluates a recording in memory, of any format. See ``evaluate(fileAt:expected:language:)``.
    public func evaluate(
        _ recording: AudioBuffer, expected text: String, language: String
    ) async throws -> ReadingEvaluation {
        let words = try expectedWords(text, language)
        var position = 0
        return try evaluate(words, language, format: recording.format) { () throws(AudioError) in
            let piece = recording.frames(position..<(position + 4_096))
            position += piece.frameCount
            return piece.frameCount > 0 ? piece : nil
        }
    }

    private func expectedWords(_ text: String, _ language: String) throws(EvaluationError) -> [SpokenText.Word] {
        // A cheap check first, so that a text of any length costs little to refuse. Each word has at least one letter.
        guard text.utf8.count <= configuration.mostWords * 100 else { throw tooLong() }
        let words = SpokenText(text, language: language).words
        guard !words.isEmpty else {
            throw EvaluationError(.nothingToRead, "The text has no words to read. Choose one that has.")
        }
        guard words.count <= configuration.mostWords else { throw tooLong() }
        return words
    }

    private func tooLong() -> EvaluationError {
        EvaluationError(
            .textTooLong, "The text is longer than \(configuration.mostWords) words. Read it in shorter parts.")
    }

    private func evaluate(
        _ words: [SpokenText.Word], _ language: String, format: AudioFormat,
        next: () throws(AudioError) -> AudioBuffer?
    ) throws -> ReadingEvaluation {
        let (judge, unavailable) = try wordJudge(words, language)
        var run = try EvaluationRun(format: format, weights: weights, pause: configuration.shortestPause)
        var heard: [ReadingDecoder.Word] = []
        while let buffer = try Self.reading(next) {
            try Task.checkCancellation()
            guard run.duration <= configuration.longestRecording else {
                throw EvaluationError(
                    .recordingTooLong,
                    "The recording is longer than \(configuration.longestRecording). Evaluate shorter parts.")
            }
            try hear(try run.add(buffer), judge, &heard)
        }
        guard run.duration > .zero else {
            throw EvaluationError(.emptyRecording, "The recording has no sound in it. Record it again.")
        }
        try hear(run.finish(), judge, &heard)
        var evaluation = run.evaluation()
        evaluation.wordsUnavailable = unavailable
        if let judge { (evaluation.words, evaluation.substitutions) = try judge.judge(heard) }
        return evaluation
    }

    private func hear(
        _ pieces: [EvaluationRun.Piece], _ judge: WordJudge?, _ heard: inout [ReadingDecoder.Word]
    ) throws {
        guard judge != nil, let decoder else { return }
        for piece in pieces {
            try Task.checkCancellation()
            do {
                heard += try decoder.decode(piece.samples, startingAt: piece.start)
            } catch {
                throw EvaluationError(.recognizerFailed, error.message, underlying: error.underlying)
            }
        }
    }

    private func wordJudge(
        _ words: [SpokenText.Word], _ language: String
    ) throws -> (WordJudge?, ReadingEvaluation.WordsUnavailable?) {
        guard SpokenText.isEnglish(language) else { return (nil, .languageNotRecognized) }
        guard let decoder = try readingDecoder() else { return (nil, .modelMissing) }
        do {
            let known = try decoder.prepare(words.map(\.text))
            let judge = WordJudge(text: words, unknown: known.unknown, alike: known.alike)
            return judge.hasWords ? (judge, nil) : (nil, .textUnknown)
        } catch {
            throw EvaluationError(.recognizerFailed, error.message, underlying: error.underlying)
        }
    }

    private func readingDecoder() throws(EvaluationError) -> ReadingDecoder? {
        if let decoder { return decoder }
        do {
            decoder = try ReadingDecoder(model: model)
            return decoder
        } catch {
            guard error.code == .modelMissing else {
                throw EvaluationError(.recognizerFailed, error.message, underlying: error.underlying)
            }
            logger.notice("words are not judged: \(error.description, privacy: .public)")
            return nil
        }
    }

    private static func reading<Value>(_ body: () throws(AudioError) -> Value) throws(EvaluationError) -> Value {
        do {
            return try body()
        } catch {
            let code: EvaluationError.Code =
                switch error.code {
                case .emptyFile: .emptyRecording
                case .tooLong: .recordingTooLong
                default: .unreadableRecording
                }
            throw EvaluationError(code, error.message, underlying: error.underlying)
        }
    }
}
