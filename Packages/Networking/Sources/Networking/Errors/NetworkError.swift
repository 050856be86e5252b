// SPDX-License-Identifier: MIT

/// The error of this module; `CancellationError` passes untouched. No message has a secret in it.
public struct NetworkError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: Code
    /// The failure and its remedy.
    public var message: String
    /// The cause.
    public var underlying: (any Error)?
    /// Every attempt that was made, the last one included, when the request was retried.
    public var attempts: [HTTPAttempt]
    /// The status, if the error is a response's.
    public var status: Int?
    /// The server's RFC 9457 problem details.
    public var problem: ProblemDetails?
    /// The body of a response with a bad status, at most 256 KiB; empty if it had none. `decode(_:)` reads JSON.
    public var body: [UInt8] = []
    /// The wait that the server asks for (`Retry-After`, RFC 9110 §10.2.3); nil if it asks for none.
    public var retryAfter: Duration?

    /// An error.
    public init(
        code: Code, message: String, underlying: (any Error)? = nil, attempts: [HTTPAttempt] = [],
        status: Int? = nil, problem: ProblemDetails? = nil, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.attempts = attempts
        self.status = status
        self.problem = problem
        self.retryAfter = retryAfter
    }

    /// The code, the message and the number of attempts.
    public var description: String {
        attempts.count > 1 ? "\(code): \(message) (\(attempts.count) attempts)" : "\(code): \(message)"
    }

    static func responseTooLarge(limit: Int) -> NetworkError {
        NetworkError(
            code: .responseTooLarge,
            message: "The response is over the limit of \(limit) bytes. Raise the limit, or read it as a stream.")
    }

    static func headerTooLarge(_ what: String) -> NetworkError {
        NetworkError(code: .headerTooLarge, message: "\(what). The server has a fault, or sets too many cookies.")
    }

    static func invalidRequest(_ message: String) -> NetworkError {
        NetworkError(code: .invalidRequest, message: message)
    }
}

/// One try of a request that was tried more than once.
public struct HTTPAttempt: Sendable {
    /// From one on.
    public let number: Int
    /// The start, counted from the first attempt's.
    public let started: Duration
    /// The time until the response's header or the failure.
    public let duration: Duration
    /// The status, if there was a response.
    public let status: Int?
    /// The error code; nil if a response arrived.
    public let code: NetworkError.Code?

    /// An attempt.
    public init(number: Int, started: Duration, duration: Duration, status: Int?, code: NetworkError.Code?) {
        self.number = number
        self.started = started
        self.duration = duration
        self.status = status
        self.code = code
    }
}
