// SPDX-License-Identifier: MIT

package import SpeechServices
import StructuredJSON

/// The reason that a request is refused, as the `error` event tells it.
package struct WyomingRefusal: Error, Hashable {
    /// The `code` of the event, for programs.
    package enum Code: String {
        /// The bytes are not frames; the connection is closed.
        case invalidFrame = "invalid-frame"
        /// The event is unknown here.
        case unknownType = "unknown-type"
        /// A value of the event is missing or invalid.
        case invalidRequest = "invalid-request"
        /// Sound or text without a request before it.
        case noRequest = "no-request"
        /// There is no such program, model, voice or wake word.
        case unknownProgram = "unknown-program"
        case unknownModel = "unknown-model"
        case unknownVoice = "unknown-voice"
        case unknownWakeWord = "unknown-wake-word"
        case unsupportedLanguage = "unsupported-language"
        /// The sound's rate, width or channels cannot be converted.
        case unsupportedSound = "unsupported-sound"
        /// The sound's bytes do not fit its format.
        case malformedSound = "malformed-sound"
        /// The utterance or the text is over the limit.
        case tooLong = "too-long"
        /// Too many clients do the same.
        case busy
        /// The client was silent, or the engine too slow.
        case timeout
        /// The engine has failed.
        case engineFailed = "engine-failed"
    }

    package let code: Code
    package let text: String

    init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The event.
    package var frame: WyomingFrame {
        WyomingFrame("error", data: ["text": .string(text), "code": .string(code.rawValue)])
    }
}
