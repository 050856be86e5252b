// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
public import Networking

/// A transport that answers from a script and keeps the requests.
public final class ScriptedTransport: HTTPTransport {
    /// Answers one request.
    public typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private struct State {
        var answers: [Answer]
        var requests: [HTTPRequest] = []
    }

    private let state: Guarded<State>
    private let fallback: Answer?

    /// A transport that takes one answer of the list for each request, in order.
    ///
    /// - Parameters:
    ///   - answers: The script.
    ///   - fallback: Answers after the script's end; without it, a further request is an error.
    public init(_ answers: [Answer] = [], fallback: Answer? = nil) {
        state = Guarded(State(answers: answers))
        self.fallback = fallback
    }

    /// A transport with one answer for all requests.
    public convenience init(_ answer: @escaping Answer) {
        self.init([], fallback: answer)
    }

    /// Every request so far, in order.
    public var requests: [HTTPRequest] { state.withLock(\.requests) }

    /// Appends an answer to the script.
    public func append(_ answer: @escaping Answer) {
        state.withLock { $0.answers.append(answer) }
    }

    /// Answers from the script.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        try request.validate()
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? fallback : state.answers.removeFirst()
        }
        guard let answer else {
            throw NetworkError(
                code: .other, message: "The script has no answer left for \(request.method) \(request.url.path()).")
        }
        return try await answer(request)
    }
}
