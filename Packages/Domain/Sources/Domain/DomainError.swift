// SPDX-License-Identifier: MIT

/// Everything that can go wrong for a person, whatever layer it came from.
///
/// Adapters translate their own errors into one of these cases, so nothing above the data layer sees `errno`, an SQLite
/// code or an HTTP status. Each case has a stable ``code`` for programs and a ``message`` that says what to do.
public enum DomainError: Error, Sendable, Hashable {
    /// The question was empty or white space.
    case emptyQuery
    /// The guardrail's verdict: the question is not about a US state, or asks for something that is not known of one.
    case invalidQuery
    /// The question was longer than `limit` characters.
    case queryTooLong(limit: Int)
    /// The question was accepted, but no answer could be made; the payload says why.
    case generationFailed(String)
    /// No speech was heard before the input ended or the time was up.
    case noSpeech
    /// Speech was heard, but nothing in it was a question that can be recognised.
    case notUnderstood
    /// An audio device cannot be used; the payload says why and what to do.
    case device(String)
    /// A file cannot be read or written; the payload says why and what to do.
    case file(String)
    /// The recogniser or the synthesiser cannot work; the payload says why and what to do.
    case speechEngine(String)
    /// Stored data cannot be read or written; the payload says why and what to do.
    case storage(String)
    /// Stored data is there, but is not what was stored, or was sealed with another key; the payload says what to do.
    case damaged(String)
    /// Something that was typed or chosen cannot be used; the payload says why and what to do.
    case invalidInput(String)
    /// What was asked for is not there, or belongs to somebody else; the payload names it.
    case notFound(String)
    /// This needs an account, and nobody is signed in, or the session has ended.
    case signInNeeded
    /// The server cannot be reached; the payload says why.
    case offline(String)
    /// The server did not answer within the time there was; the payload says what was waited for.
    case timedOut(String)
    /// The server wants fewer requests, and will take the next one after so many seconds.
    case rateLimited(retryAfter: Int)
    /// A limit of the account is reached, and the server takes no more; the payload says what to do.
    case overLimit(String)
    /// The server turned the request down, or failed; the payload says why.
    case server(String)
    /// The person, or the server's operator, does not allow it; the payload says who, and what to do.
    case notAllowed(String)

    /// A stable name for programs, as it appears in JSON output.
    public var code: String {
        switch self {
        case .emptyQuery: "emptyQuery"
        case .invalidQuery: "invalidQuery"
        case .queryTooLong: "queryTooLong"
        case .generationFailed: "generationFailed"
        case .noSpeech: "noSpeech"
        case .notUnderstood: "notUnderstood"
        case .device: "device"
        case .file: "file"
        case .speechEngine: "speechEngine"
        case .storage: "storage"
        case .damaged: "damaged"
        case .invalidInput: "invalidInput"
        case .notFound: "notFound"
        case .signInNeeded: "signInNeeded"
        case .offline: "offline"
        case .timedOut: "timedOut"
        case .rateLimited: "rateLimited"
        case .overLimit: "overLimit"
        case .server: "server"
        case .notAllowed: "notAllowed"
        }
    }

    /// One or two sentences for a person, saying what to do.
    public var message: String {
        switch self {
        case .emptyQuery:
            "There is no question. Ask about a US state, for example: What is the capital of Texas?"
        case .invalidQuery:
            "I can only provide information about US states: capital, bird, flower, largest city, admission and place."
        case .queryTooLong(let limit):
            "The question is too long. Ask in at most \(limit) characters."
        case .generationFailed(let reason):
            "The question was understood, but there is no answer: \(reason)"
        case .noSpeech:
            "No speech was heard. Check the microphone or the sound file, then speak closer and louder."
        case .notUnderstood:
            "I did not understand that. I can only provide information about US states; please say it in other words."
        case .device(let reason), .file(let reason), .speechEngine(let reason), .storage(let reason),
            .damaged(let reason), .invalidInput(let reason), .overLimit(let reason), .server(let reason),
            .notAllowed(let reason):
            reason
        case .notFound(let name):
            "There is no \(name). Look at the list, and choose one of it."
        case .signInNeeded:
            "This needs an account. Sign in with parley sign-in."
        case .offline(let reason):
            "The server cannot be reached: \(reason) Check the network; what waits is sent when it is back."
        case .timedOut(let work):
            "\(work) took too long. Try again later; nothing is lost."
        case .rateLimited(let seconds):
            "That was too often. Wait \(max(seconds, 1)) s, then try again."
        }
    }

    /// Whether the question itself was turned down, as opposed to something being broken.
    public var isRefusal: Bool {
        switch self {
        case .invalidQuery, .notUnderstood, .noSpeech: true
        default: false
        }
    }

    /// Whether the same may well work later, without anybody doing anything.
    public var isTransient: Bool {
        switch self {
        case .offline, .timedOut, .rateLimited, .server: true
        default: false
        }
    }
}
