// SPDX-License-Identifier: MIT

/// Everything that can go wrong for a person, in any layer.
///
/// Adapters translate their own errors into one of these cases, so that no code above the data layer handles `errno`,
/// an SQLite code or an HTTP status. Each case has a stable ``code`` for programs, and data; presentation makes the
/// text for a person.
public indirect enum DomainError: Error, Sendable, Hashable {
    /// The question was empty or white space.
    case emptyQuery
    /// The guardrail's verdict: the question is about something else than what the program knows.
    case invalidQuery
    /// The question was longer than `limit` characters.
    case queryTooLong(limit: Int)
    /// The question was accepted, but no answer could be made; the payload says why.
    case generationFailed(Sentence)
    /// No speech was heard before the input ended or the time was up.
    case noSpeech
    /// Speech was heard, but nothing in it was a question that can be recognised.
    case notUnderstood
    /// Somebody spoke for `limit` seconds without a pause, so that the end of the question is not known.
    case speechTooLong(limit: Int)
    /// An audio device cannot be used; the payload says why and what to do.
    case device(Sentence)
    /// A file cannot be read or written; the payload says why and what to do.
    case file(Sentence)
    /// The recogniser or the synthesiser cannot work; the payload says why and what to do.
    case speechEngine(Sentence)
    /// Stored data cannot be read or written; the payload says why and what to do.
    case storage(Sentence)
    /// Stored data is there, but cannot be used as it is. The code is that of ``storage(_:)``.
    case unusable(UnusableData)
    /// Stored data was changed from outside, or was sealed with another key; the payload says what to do.
    case damaged(Sentence)
    /// Something that was typed or chosen cannot be used; the payload says why and what to do.
    case invalidInput(Sentence)
    /// The requested thing is missing or belongs to another account; the payload names it.
    case notFound(Sentence)
    /// The operation needs an account, and no account is signed in, or the session has ended.
    case signInNeeded
    /// The server cannot be reached; the payload says why.
    case offline(Sentence)
    /// The server did not answer within the time there was; the payload is what was waited for.
    case timedOut(AwaitedAnswer)
    /// The server wants fewer requests; it takes the next one after `retryAfter` seconds.
    case rateLimited(retryAfter: Int)
    /// A limit of the account is reached, and the server takes no more; the payload says what to do.
    case overLimit(Sentence)
    /// The server turned the request down, or failed; the payload says why.
    case server(Sentence)
    /// The server does not accept the key; the payload says what to do.
    case keyRefused(Sentence)
    /// The person, or the server's operator, does not allow uploads.
    case notAllowed(UploadPermission.Reason)
    /// The question has no answer now, for this reason; it is kept, and answered when the model is back.
    case keptForLater(DomainError)

    /// A stable name for programs, as it appears in JSON output.
    public var code: String {
        switch self {
        case .emptyQuery: "emptyQuery"
        case .invalidQuery: "invalidQuery"
        case .queryTooLong: "queryTooLong"
        case .generationFailed: "generationFailed"
        case .noSpeech: "noSpeech"
        case .notUnderstood: "notUnderstood"
        case .speechTooLong: "speechTooLong"
        case .device: "device"
        case .file: "file"
        case .speechEngine: "speechEngine"
        case .storage, .unusable: "storage"
        case .damaged: "damaged"
        case .invalidInput: "invalidInput"
        case .notFound: "notFound"
        case .signInNeeded: "signInNeeded"
        case .offline: "offline"
        case .timedOut: "timedOut"
        case .rateLimited: "rateLimited"
        case .overLimit: "overLimit"
        case .server: "server"
        case .keyRefused: "keyRefused"
        case .notAllowed: "notAllowed"
        case .keptForLater: "keptForLater"
        }
    }

    /// The payload: a reason, or the name of what is missing; nil where the code says it all. The program makes the
    /// text for a person.
    public var detail: String? {
        switch self {
        case .generationFailed(let detail), .device(let detail), .file(let detail), .speechEngine(let detail),
            .storage(let detail), .damaged(let detail), .invalidInput(let detail), .notFound(let detail),
            .offline(let detail), .overLimit(let detail), .server(let detail), .keyRefused(let detail):
            detail.english
        case .unusable(let data): data.detail
        case .timedOut(let answer): answer.rawValue
        case .queryTooLong(let limit), .speechTooLong(let limit): "\(limit)"
        case .rateLimited(let seconds): "\(seconds)"
        case .notAllowed(let reason): reason.rawValue
        case .keptForLater(let error): error.code
        case .emptyQuery, .invalidQuery, .noSpeech, .notUnderstood, .signInNeeded: nil
        }
    }

    /// True if the question itself was turned down, as opposed to a failure.
    public var isRefusal: Bool {
        switch self {
        case .invalidQuery, .notUnderstood, .noSpeech, .speechTooLong: true
        default: false
        }
    }

    /// True if a person who speaks with the program is told about it aloud: no answer came, and the devices work.
    public var isSpokenOf: Bool {
        switch self {
        case .generationFailed, .queryTooLong, .offline, .timedOut, .rateLimited, .overLimit, .server, .keyRefused,
            .keptForLater:
            true
        default: isRefusal
        }
    }

    /// True if a later attempt may succeed without any action of the person.
    public var isTransient: Bool {
        switch self {
        case .offline, .timedOut, .rateLimited, .server: true
        default: false
        }
    }
}

/// Stored data that is there, but cannot be used as it is.
public enum UnusableData: Hashable, Sendable {
    /// The file of the conversations is damaged; the payload is the database's reason.
    case conversations(String)
    /// The file of cues, results and recordings is damaged; the payload is the database's reason.
    case practice(String)
    /// A row is not what this program stores; the payload is its kind, for example "cue".
    case row(String)
    /// The answer about uploads, whose changes end without a reason.
    case consent
    /// Another version of the program wrote it.
    case otherVersion
    /// It is sealed, and the app lock is closed.
    case locked
    /// It is in the desktop's keyring, which is locked.
    case lockedKeyring
    /// No store of secrets has the key of the recordings in a folder.
    case keyMissing(folder: String)

    fileprivate var detail: String {
        switch self {
        case .conversations(let detail), .practice(let detail), .row(let detail), .keyMissing(let detail): detail
        case .consent: "consent"
        case .otherVersion: "otherVersion"
        case .locked: "locked"
        case .lockedKeyring: "lockedKeyring"
        }
    }
}

/// The part of an exchange with a server that took too long.
public enum AwaitedAnswer: String, Hashable, Sendable, CaseIterable {
    /// A connection.
    case connection
    /// The answer to a request.
    case answer
    /// The evaluation of a recording.
    case evaluation
}
