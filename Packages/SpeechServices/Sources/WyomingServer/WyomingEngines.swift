// SPDX-License-Identifier: MIT

public import SpeechEngines

/// The engines that a server offers. The first of each kind is the default.
public struct WyomingEngines: Sendable {
    /// A recogniser.
    public struct Recognizer: Sendable {
        /// The name by which clients choose it.
        public var id: String
        /// A description for people.
        public var description: String
        /// The languages (BCP 47), such as "en".
        public var languages: [String]
        /// True if it finds words while somebody speaks. Its sound is then passed on as it arrives, and it is busy for as
        /// long; any other gets an utterance that is whole.
        public var streams: Bool
        /// The engine.
        public var engine: any SpeechRecognizer

        /// A recogniser.
        public init(
            id: String, description: String, languages: [String], streams: Bool = false, engine: any SpeechRecognizer
        ) {
            self.id = id
            self.description = description
            self.languages = languages
            self.streams = streams
            self.engine = engine
        }
    }

    /// A voice.
    public struct Voice: Sendable {
        /// The name by which clients choose it.
        public var id: String
        /// A description for people.
        public var description: String
        /// The languages (BCP 47), such as "en-US".
        public var languages: [String]
        /// Makes the synthesiser, for each request anew.
        public var make: @Sendable () async throws -> any SpeechSynthesizer

        /// A voice.
        public init(
            id: String, description: String, languages: [String],
            make: @escaping @Sendable () async throws -> any SpeechSynthesizer
        ) {
            self.id = id
            self.description = description
            self.languages = languages
            self.make = make
        }
    }

    /// A wake word.
    public struct WakeWord: Sendable {
        /// The name by which clients choose it, such as "hey_jarvis".
        public var id: String
        /// The words that people say.
        public var phrase: String
        /// The languages (BCP 47).
        public var languages: [String]
        /// Makes a spotter, for each stream anew.
        public var make: @Sendable () async throws -> any WakeWordSpotter

        /// A wake word.
        public init(
            id: String, phrase: String, languages: [String],
            make: @escaping @Sendable () async throws -> any WakeWordSpotter
        ) {
            self.id = id
            self.phrase = phrase
            self.languages = languages
            self.make = make
        }
    }

    /// The recognisers; a server without one refuses `transcribe`.
    public var recognizers: [Recognizer]
    /// The voices; a server without one refuses `synthesize`.
    public var voices: [Voice]
    /// The wake words; a server without one refuses `detect`.
    public var wakeWords: [WakeWord]

    /// The engines.
    public init(recognizers: [Recognizer] = [], voices: [Voice] = [], wakeWords: [WakeWord] = []) {
        self.recognizers = recognizers
        self.voices = voices
        self.wakeWords = wakeWords
    }
}
