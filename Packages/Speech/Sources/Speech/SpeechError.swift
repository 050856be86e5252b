// SPDX-License-Identifier: MIT

/// The reason that speech cannot be recognised or synthesised, with advice.
public struct SpeechError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable code, also used in JSON output.
        public let rawValue: String

        /// Makes a code from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A file of the acoustic model or the dictionary is missing.
        public static let modelMissing = Code(rawValue: "modelMissing")
        /// The acoustic model or the dictionary exists and cannot be used.
        public static let modelDamaged = Code(rawValue: "modelDamaged")
        /// The grammar cannot be compiled.
        public static let invalidGrammar = Code(rawValue: "invalidGrammar")
        /// The wake word is empty, too short to differ from other speech, or too long.
        public static let invalidPhrase = Code(rawValue: "invalidPhrase")
        /// The grammar or the phrase has words without a pronunciation.
        public static let unknownWords = Code(rawValue: "unknownWords")
        /// The recogniser was called out of order, or it failed in mid-utterance.
        public static let recognitionFailed = Code(rawValue: "recognitionFailed")
        /// The recogniser does not support the sound's format.
        public static let formatNotSupported = Code(rawValue: "formatNotSupported")
        /// The utterance is longer than the recogniser accepts.
        public static let tooLong = Code(rawValue: "tooLong")
        /// The synthesiser has no voice of that name or language.
        public static let voiceMissing = Code(rawValue: "voiceMissing")
        /// The synthesiser's program or library is not installed.
        public static let synthesizerMissing = Code(rawValue: "synthesizerMissing")
        /// PocketSphinx is not installed; the message names its package.
        public static let recognizerMissing = Code(rawValue: "recognizerMissing")
        /// The synthesiser stopped before the text was spoken.
        public static let synthesisFailed = Code(rawValue: "synthesisFailed")
        /// Not enough memory or file descriptors.
        public static let outOfResources = Code(rawValue: "outOfResources")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: what happened, and what to do.
    public let message: String
    /// The message of the library or the system; nil if there was no message.
    public let underlying: String?

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: String? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message, with the system's own text in brackets.
    public var description: String {
        guard let underlying, !underlying.isEmpty else { return message }
        return "\(message) [\(underlying)]"
    }
}
