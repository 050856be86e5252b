// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import Speech
public import SpeechEngines
import SpeechServices
import VoiceActivity

/// Recognises one utterance at a time, cut by voice activity, whose sound arrives while somebody speaks: the recogniser
/// of this machine, or an engine elsewhere.
public protocol UtteranceRecognizer: Sendable {
    /// The longest utterance; a longer one is cut.
    var longestSpeech: Duration { get }

    /// Begins an utterance; drops an unfinished one.
    func begin() async

    /// Takes the utterance's next sound, 16 kHz mono.
    func process(_ buffer: AudioBuffer) async throws

    /// The words so far, to show while a person speaks; empty before the first one.
    func guess() async throws -> String

    /// The recognition of the sound so far, in a pause that may not be the end; nil for an engine that is asked once.
    func preview() async throws -> Recognition?

    /// Ends the utterance and returns its recognition.
    func finish() async throws -> Recognition

    /// Drops the utterance.
    func cancel() async
}

extension Endpointer.Configuration {
    /// The configuration with the recogniser's longest utterance.
    func fitting(_ recognizer: any UtteranceRecognizer) -> Self {
        var fitting = self
        fitting.longestSpeech = recognizer.longestSpeech
        return fitting
    }
}

extension GrammarRecognizer: UtteranceRecognizer {
    /// 20 s: far longer than any sentence of a grammar, so that noise that passes for speech is given up.
    public nonisolated var longestSpeech: Duration { .seconds(20) }

    /// See `UtteranceRecognizer`.
    public func preview() throws -> Recognition? { try draft() }
}

/// Recognises utterances by any engine: sound is handed on as it arrives, and the words that the engine sends meanwhile
/// are its guesses. The engine is asked once for each utterance, since a request may cost money.
public actor EngineRecognizer: UtteranceRecognizer {
    private let engine: any SpeechRecognizer
    private var feed: AsyncStream<AudioBuffer>.Continuation?
    private var hearing: Task<Recognition, any Error>?
    private var words = ""
    /// Counts utterances, so that words of a dropped one are not shown.
    private var utterance = 0

    /// Five minutes: 19 MB of samples in memory, and 9.6 MB for a service.
    public nonisolated var longestSpeech: Duration { .seconds(300) }

    /// A recogniser by an engine, which must take 16 kHz mono.
    public init(_ engine: any SpeechRecognizer) { self.engine = engine }

    /// See `UtteranceRecognizer`.
    public func begin() {
        cancel()
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        self.feed = feed
        let (events, utterance) = (engine.recognize(sound), utterance)
        hearing = Task {
            for try await event in events {
                switch event {
                case .partial(let words): show(words, of: utterance)
                case .final(let transcription): return Recognition(transcription)
                }
            }
            try Task.checkCancellation()
            throw SpeechServiceError(.cut, "The speech engine ended without an answer. Say it again.")
        }
    }

    /// See `UtteranceRecognizer`.
    public func process(_ buffer: AudioBuffer) { feed?.yield(buffer) }

    /// See `UtteranceRecognizer`.
    public func guess() -> String { words }

    /// See `UtteranceRecognizer`.
    public func preview() -> Recognition? { nil }

    /// See `UtteranceRecognizer`.
    ///
    /// - Throws: The engine's error.
    public func finish() async throws -> Recognition {
        feed?.finish()
        guard let hearing else {
            throw SpeechServiceError(.invalidRequest, "There is no utterance to recognise. Call begin() first.")
        }
        return try await withTaskCancellationHandler {
            try await hearing.value
        } onCancel: {
            hearing.cancel()
        }
    }

    /// See `UtteranceRecognizer`.
    public func cancel() {
        hearing?.cancel()
        feed?.finish()
        (hearing, feed, words) = (nil, nil, "")
        utterance += 1
    }

    private func show(_ words: String, of utterance: Int) {
        if utterance == self.utterance { self.words = words }
    }
}
