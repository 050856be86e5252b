// SPDX-License-Identifier: MIT

public import AudioBuffers

/// The reason that a service did not hear or speak, with advice. No message has a key in it. `CancellationError` passes
/// untouched.
public struct SpeechServiceError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: match with a default.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The stable code, also used in JSON output.
        public let rawValue: String

        /// Makes a code from its stable text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The service does not accept the key, or wants one.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// Too many requests, or the account's quota is used up; ``SpeechServiceError/retryAfter`` may say for how long.
        public static let quotaExceeded = Code(rawValue: "quotaExceeded")
        /// The service has no such voice (any more).
        public static let voiceMissing = Code(rawValue: "voiceMissing")
        /// The service has no such model (any more).
        public static let modelMissing = Code(rawValue: "modelMissing")
        /// The sound has another rate, number of channels or coding than agreed; ``SpeechServiceError/actualFormat`` may
        /// say which.
        public static let wrongFormat = Code(rawValue: "wrongFormat")
        /// The service sent nothing for longer than ``SpeechServiceLimits`` allow.
        public static let stalled = Code(rawValue: "stalled")
        /// The connection broke, or ended before the answer did; or the answer to a text has no sound.
        public static let cut = Code(rawValue: "cut")
        /// No connection could be made.
        public static let unreachable = Code(rawValue: "unreachable")
        /// TLS failed: the certificate is not trusted, the key is not the pinned one, or no version is shared.
        public static let untrusted = Code(rawValue: "untrusted")
        /// An address without TLS that is not this machine's and was not allowed explicitly. Nothing was sent.
        public static let insecure = Code(rawValue: "insecure")
        /// The answer or the utterance is over its limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The service failed by itself (HTTP 5xx, or Wyoming's `error`).
        public static let serverFailed = Code(rawValue: "serverFailed")
        /// The service declines the request for another reason.
        public static let refused = Code(rawValue: "refused")
        /// The answer is not of the protocol.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The settings cannot be sent: an address, a key or a name is invalid.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The machine has no memory, thread or libcurl left.
        public static let outOfResources = Code(rawValue: "outOfResources")
    }

    /// The kind of failure.
    public let code: Code
    /// One or two sentences for a person: what happened, and what to do.
    public let message: String
    /// The HTTP status, if there was one.
    public var status: Int?
    /// The wait that the service asks for; nil if it asks for none.
    public var retryAfter: Duration?
    /// The format of the sound that the service does send, for ``Code/wrongFormat``; nil if it is unknown.
    public var actualFormat: AudioFormat?
    /// The service's own words, at most 200 characters on one line, without keys; nil without any.
    public var underlying: String?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, status: Int? = nil, retryAfter: Duration? = nil,
        actualFormat: AudioFormat? = nil, underlying: String? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
        self.actualFormat = actualFormat
        self.underlying = underlying
    }

    /// The message, with the service's own words in brackets.
    public var description: String {
        guard let underlying, !underlying.isEmpty else { return message }
        return "\(message) [\(underlying)]"
    }
}
