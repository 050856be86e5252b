// SPDX-License-Identifier: MIT

import Concurrency

/// Answers in text: a server with `/responses`, one with `/chat/completions`, or a script in a test.
package protocol ResponsesService: Sendable {
    /// True if answers are kept, so that ``ResponsesRequest/previousResponseID``, ``retrieve(_:)``, ``cancel(_:)`` and
    /// ``delete(_:)`` work. Otherwise send the full history.
    var keepsResponses: Bool { get }

    /// Sends the request, and waits for the whole answer. A background request returns at once, `queued`.
    ///
    /// - Throws: ``EchoError``; ``EchoError/responseFailed(_:)`` if the model failed. An answer that is cut off is no
    ///   error. `CancellationError` when the task is cancelled, which closes the connection.
    func create(_ request: ResponsesRequest) async throws -> Response

    /// Sends the request, and returns when the answer begins.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func stream(_ request: ResponsesRequest) async throws -> ResponseStream

    /// The events of a background answer after that number; `nil` for all of them.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func resume(_ responseID: String, after sequenceNumber: Int?) async throws -> ResponseStream

    /// The answer in its present state.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func retrieve(_ responseID: String) async throws -> Response

    /// Cancels a background answer.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func cancel(_ responseID: String) async throws -> Response

    /// Deletes an answer at the server.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func delete(_ responseID: String) async throws
}

/// A fixed list of events.
final class ScriptedResponseSource: ResponseStreamSource {
    private struct State: Sendable {
        var events: ArraySlice<ResponseStreamEvent>
        var assembly = ResponseAssembly()
    }

    private let state: Guarded<State>

    init(_ events: [ResponseStreamEvent]) { state = Guarded(State(events: events[...])) }

    var partial: Response { state.withLock { $0.assembly.response } }
    var lastSequenceNumber: Int? { state.withLock { $0.assembly.lastSequenceNumber } }

    func next() async throws -> ResponseStreamEvent? {
        try Task.checkCancellation()
        return state.withLock { state in
            guard let event = state.events.popFirst() else { return nil }
            state.assembly.apply(event)
            return event
        }
    }
}
