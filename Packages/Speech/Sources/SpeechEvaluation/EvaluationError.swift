// SPDX-License-Identifier: MIT

/// The reason that a reading cannot be evaluated, with advice.
public struct EvaluationError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable code, also used in JSON output.
        public let rawValue: String

        /// Makes a code from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text has no words.
        public static let nothingToRead = Code(rawValue: "nothingToRead")
        /// The text is longer than a reading may be.
        public static let textTooLong = Code(rawValue: "textTooLong")
        /// The recording has no sound in it.
        public static let emptyRecording = Code(rawValue: "emptyRecording")
        /// The recording is longer than a reading may be.
        public static let recordingTooLong = Code(rawValue: "recordingTooLong")
        /// The recording is missing, damaged or not a sound file.
        public static let unreadableRecording = Code(rawValue: "unreadableRecording")
        /// The recogniser exists and does not work.
        public static let recognizerFailed = Code(rawValue: "recognizerFailed")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: what happened, and what to do.
    public let message: String
    /// The message of a library or the system; nil if there was no message.
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
