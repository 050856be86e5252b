// SPDX-License-Identifier: MIT

/// The error that Echo throws, besides `CancellationError`. No message has a key in it.
///
/// More cases may follow: a `switch` over it in another package needs `@unknown default` (ADR 0040).
@nonexhaustive
public enum EchoError: Error, Sendable {
    /// The model is neither listed nor declared by the endpoint. Nothing was sent.
    case unsupportedModel(String)
    /// The server could not be reached, or the connection broke.
    case connectionFailed(String)
    /// Speech could not be turned into text.
    case transcriptionFailed(String)
    /// A microphone or loudspeaker failed.
    case audioError(String)
    /// A tool failed, or its arguments are invalid.
    case toolExecutionFailed(String)
    /// The server refuses more requests for the moment, and refused the further attempts, too; or the wait for a rate
    /// limit would be longer than ``RequestLimits/longestWait``.
    case rateLimitExceeded
    /// The configuration or the request is invalid. Nothing was sent.
    case invalidConfiguration(String)

    /// The key is missing, wrong, or lacks the permission (401, 403).
    case unauthorized(APIFailure)
    /// The server has no such response, model or address (404).
    case notFound(APIFailure)
    /// The account has no credit left. Another attempt would fail, too.
    case quotaExceeded(APIFailure)
    /// The input is longer than the model's window. Shorten the history.
    case contextTooLong(APIFailure)
    /// Any other refusal by the server.
    case apiError(APIFailure)
    /// The answer is unreadable: the fault, and the request's id if the server gave one.
    case malformedResponse(String, requestID: String?)
    /// The model failed to answer (`response.failed`).
    case responseFailed(APIFailure)
    /// The stream ended before the answer did. What it had said is in the conversation.
    indirect case streamInterrupted(StreamInterruption)
    /// The budget is used up. Nothing was sent. In US dollars.
    case budgetExceeded(spent: Double, limit: Double)
    /// The model's JSON does not fit the type or the schema, twice: the fault, and the text.
    case invalidStructuredOutput(String, text: String)
    /// The model declined; its refusal.
    case refused(String)
    /// The server did not respond in time.
    case timedOut(String)
    /// The endpoint cannot do this.
    case unsupported(String)
    /// The conversation is closed. Start another, with its ``Conversation/history``.
    case conversationClosed
}

extension EchoError: CustomStringConvertible {
    /// The failure, and the remedy.
    public var description: String {
        switch self {
        case .unsupportedModel(let name):
            "The model \(name) is not supported here. Use one of its type's list (such as EmbeddingModel.supported), or name "
                + "it in EchoEndpoint.models if your own server offers it."
        case .connectionFailed(let reason): "There is no connection: \(reason)"
        case .transcriptionFailed(let reason): "The speech could not be transcribed: \(reason)"
        case .audioError(let reason): "Sound failed: \(reason)"
        case .toolExecutionFailed(let reason): "A tool failed: \(reason)"
        case .rateLimitExceeded: "The server refuses more requests for now. Wait, and send fewer at once."
        case .invalidConfiguration(let reason): "This cannot be asked for: \(reason)"
        case .unauthorized(let failure):
            "The server does not accept the key for this. Check the key and what it may do. It says: \(failure)"
        case .notFound(let failure): "The server does not know this. Check the id and the address. It says: \(failure)"
        case .quotaExceeded(let failure): "The account has no credit left; add some. The server says: \(failure)"
        case .contextTooLong(let failure):
            "The input is too long for the model; shorten the history. The server says: \(failure)"
        case .apiError(let failure): "The server refuses: \(failure)"
        case .malformedResponse(let reason, let request):
            "The answer cannot be read: \(reason)" + (request.map { " (request \($0))" } ?? "")
        case .responseFailed(let failure): "The model failed to answer; try again. The server says: \(failure)"
        case .streamInterrupted(let interruption):
            "The answer broke off; what had come is in the error. \(interruption.message)"
        case .budgetExceeded(let spent, let limit):
            "The budget of $\(limit) is used up ($\(spent) spent). Raise it, or start a new one."
        case .invalidStructuredOutput(let reason, _): "The model's JSON does not fit: \(reason)"
        case .refused(let words): "The model refuses: \(words)"
        case .timedOut(let what): "It took too long: \(what)"
        case .unsupported(let what): "This endpoint cannot do it: \(what)"
        case .conversationClosed: "The conversation is closed. Start another; it can go on from this one's history."
        }
    }
}

extension EchoError {
    /// The error for a model that goes on calling tools instead of answering.
    package static func tooManyCalls(rounds: Int, limit: Int) -> Self {
        .toolExecutionFailed(
            "The model asked for calls \(rounds) times in one turn; the limit is \(limit). Raise "
                + "ToolExecutor.Configuration.maximumRounds, or look at what the tools answer.")
    }
}
