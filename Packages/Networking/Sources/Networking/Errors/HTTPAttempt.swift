// SPDX-License-Identifier: MIT

/// One try of a request that was tried more than once.
public struct HTTPAttempt: Sendable {
    /// From one on.
    public let number: Int
    /// When it began, counted from the first.
    public let started: Duration
    /// How long it took until the response's header or the failure.
    public let duration: Duration
    /// The status, if there was a response.
    public let status: Int?
    /// The failure's code, if there was none.
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
