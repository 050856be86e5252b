// SPDX-License-Identifier: MIT

package import Domain
package import Echo

extension EchoError {
    /// The error for a person: the description in English, in other languages a sentence for the case, with the server's own
    /// words where it refuses. A case without a row here keeps its description.
    package var sentence: Sentence { withReason(description) }

    /// The sentence with another English text.
    func withReason(_ text: String) -> Sentence {
        translation.map { Sentence(verbatim: text, elsewhere: $0) } ?? Sentence(verbatim: text)
    }

    private var translation: Sentence? {
        switch self {
        case .connectionFailed(let reason): "There is no connection to the model's server. Details: \(reason)"
        case .rateLimitExceeded: "The model's server refuses more requests for now. Wait, and send fewer at once."
        case .unauthorized(let failure):
            "The model's server does not accept the key for this. Check the key and what it may do. It says: "
                + "\(failure.description)"
        case .notFound(let failure):
            "The model's server does not know this. Check the name of the model and the address. It says: "
                + "\(failure.description)"
        case .quotaExceeded(let failure):
            "The account at the model's server has no credit left; add some. It says: \(failure.description)"
        case .contextTooLong(let failure):
            "The conversation is too long for the model. The server says: \(failure.description)"
        case .apiError(let failure): "The model's server refuses: \(failure.description)"
        case .malformedResponse(let reason, _): "The answer of the model's server cannot be read: \(reason)"
        case .responseFailed(let failure):
            "The model failed to answer; try again. The server says: \(failure.description)"
        case .streamInterrupted: "The answer broke off; what had come before is kept. Try again."
        case .toolExecutionFailed(let reason): "A tool failed: \(reason)"
        case .invalidConfiguration(let reason): "This cannot be asked for: \(reason)"
        case .invalidStructuredOutput(let reason, _): "The model's JSON does not fit: \(reason)"
        case .refused(let words): "The model refuses: \(words)"
        case .timedOut: "The model's server did not answer in time. Try again later."
        case .unsupported(let what): "The model's server cannot do this: \(what)"
        case .audioError(let reason): "The sound failed: \(reason)"
        case .transcriptionFailed(let reason): "The speech could not be written down: \(reason)"
        case .conversationClosed: "The conversation is closed. Start another."
        default: nil
        }
    }
}
