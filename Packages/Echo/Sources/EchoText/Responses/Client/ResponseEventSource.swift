// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// Drives a stream: turns bytes into events, one for each call. Nothing runs in between.
final class ResponseEventSource: ResponseStreamSource {
    /// A stream that continues at the server without a connection.
    struct Background: Sendable {
        /// Opens the rest of the stream.
        let reopen: @Sendable (_ responseID: String, _ after: Int?) async throws -> HTTPResponse
        /// Cancels the answer, because it is no longer wanted.
        let cancel: @Sendable (_ responseID: String) async throws -> Void
    }

    private struct State: Sendable {
        var body: HTTPResponseBody?
        var isEventStream = true
        var parser = ServerSentEventParser(maximumEventSize: ResponseEventSource.maximumEventSize)
        var pending: ArraySlice<ServerSentEvent> = []
        var decoded: [ResponseStreamEvent] = []
        var delivered = 0
        var dialect: any StreamDialect
        var machine: ResponseStreamStateMachine
        /// The failure that ends the stream once the events before it were read.
        var failure: (reason: StreamInterruption.Reason, message: String)?
        /// True after the first event: the server answers, and the answer costs something.
        var hasDelivered = false
        var isCounted = false
    }

    /// The size limit of an event in bytes. A picture may fill one event.
    private static let maximumEventSize = 32 << 20

    private let state: Guarded<State>
    private let connection: APIConnection
    private let requestedModel: String?
    private let background: Background?

    init(
        response: HTTPResponse, connection: APIConnection, requestedModel: String?, dialect: any StreamDialect,
        machine: ResponseStreamStateMachine, background: Background? = nil
    ) {
        self.connection = connection
        self.requestedModel = requestedModel
        self.background = background
        state = Guarded(State(dialect: dialect, machine: machine))
        take(response)
    }

    var partial: Response { state.withLock { $0.machine.assembly.response } }
    var lastSequenceNumber: Int? { state.withLock { $0.machine.lastSequenceNumber } }

    func next() async throws -> ResponseStreamEvent? {
        do {
            try Task.checkCancellation()
            while true {
                if let event = state.withLock({ Self.next(in: &$0, connection) }) {
                    note(event)
                    return event
                }
                if let end = state.withLock({ $0.machine.end }) { return try finish(end) }
                try await read()
            }
        } catch let error as CancellationError {
            await cancel()
            throw error
        }
    }

    private func take(_ response: HTTPResponse) {
        let isJSON = response.headers["Content-Type"]?.lowercased().contains("json") == true
        state.withLock { state in
            state.body = response.body
            state.isEventStream = !isJSON
            state.parser = ServerSentEventParser(maximumEventSize: Self.maximumEventSize)
        }
    }

    /// The next decoded event that was not delivered before.
    private static func next(in state: inout State, _ connection: APIConnection) -> ResponseStreamEvent? {
        while true {
            while state.delivered < state.decoded.count {
                let event = connection.redact(state.decoded[state.delivered])
                state.delivered += 1
                if case .deliver(let event) = state.machine.receive(event) {
                    state.hasDelivered = true
                    return event
                }
            }
            state.decoded.removeAll(keepingCapacity: true)
            state.delivered = 0
            guard state.failure == nil || !state.pending.isEmpty, let event = state.pending.popFirst() else {
                return nil
            }
            do { try state.dialect.decode(event, into: &state.decoded) } catch {
                state.pending = []
                state.failure = (.malformedEvent, "An event cannot be read: \(error)")
            }
        }
    }

    /// Reads the next bytes, or handles their end.
    private func read() async throws {
        let (body, isEventStream, failure) = state.withLock { ($0.body, $0.isEventStream, $0.failure) }
        if let failure { return try await ended(failure.reason, failure.message) }
        guard let body else { return try await ended(.endedEarly, "The server ended the stream before the answer.") }
        do {
            guard isEventStream else { return try await readWhole(body) }
            var iterator = body.makeAsyncIterator()
            guard let bytes = try await iterator.next() else {
                state.withLock { state in
                    state.body = nil
                    state.dialect.end(into: &state.decoded)
                }
                return
            }
            state.withLock { state in
                var found: [ServerSentEvent] = []
                do throws(NetworkError) {
                    try state.parser.parse(bytes.span) { found.append($0) }
                } catch {
                    state.failure = (.malformedEvent, error.message)
                }
                state.pending = found[...]
            }
        } catch let error as NetworkError {
            try await ended(error.code == .idleTimeout ? .timedOut : .connectionLost, error.message)
        }
    }

    private func readWhole(_ body: HTTPResponseBody) async throws {
        let bytes = try await body.collect()
        let json = try connection.json(bytes, requestID: nil)
        state.withLock { state in
            state.body = nil
            do { try state.dialect.decode(whole: json, into: &state.decoded) } catch {
                state.failure = (.malformedEvent, "The answer cannot be read: \(error)")
            }
        }
    }

    private func ended(_ reason: StreamInterruption.Reason, _ message: String) async throws {
        var reason = reason
        var message = message
        var mayResume = background != nil
        while true {
            let end = state.withLock { state in
                state.body = nil
                state.failure = nil
                return state.machine.ended(reason, message: message, mayResume: mayResume)
            }
            guard case .resume(let id, let after, let attempt) = end, let background else { return }
            if attempt > 1 {
                let base = connection.configuration.retry?.baseDelay ?? .milliseconds(250)
                let backoff = Backoff(first: base, longest: base * 64, jitter: .none)
                try await connection.clock.sleep(backoff.delay(afterFailures: attempt - 1))
            }
            do {
                return take(try await background.reopen(id, after))
            } catch let error as EchoError {
                message = error.description
                (reason, mayResume) = Self.isPassing(error) ? (.connectionLost, true) : (reason, false)
            }
        }
    }

    private static func isPassing(_ error: EchoError) -> Bool {
        switch error {
        case .connectionFailed, .timedOut: true
        default: false
        }
    }

    private func finish(_ end: ResponseStreamStateMachine.End) throws -> ResponseStreamEvent? {
        state.withLock { $0.body = nil }
        countWithoutUsage()
        guard case .fail(let error) = end else { return nil }
        throw error
    }

    /// Counts an answer that ended before its usage was known. Its id stays new: retrieved later, its usage is counted.
    private func countWithoutUsage() {
        let isCounted = state.withLock { state in
            defer { state.isCounted = true }
            return state.isCounted
        }
        if !isCounted { connection.record(nil, model: requestedModel ?? "", requestedModel: nil) }
    }

    /// Records the usage of an answer.
    private func note(_ event: ResponseStreamEvent) {
        guard event.kind?.isLast == true, case .response(let response) = event.detail else { return }
        state.withLock { $0.isCounted = true }
        connection.record(response.usage, model: response.model, requestedModel: requestedModel, id: response.id)
    }

    /// Handles the consumer's cancellation: closes the connection, and cancels a background answer.
    private func cancel() async {
        let (id, isOver, hasDelivered) = state.withLock { state in
            state.body = nil
            return (state.machine.identifier, state.machine.end != nil, state.hasDelivered)
        }
        if hasDelivered { countWithoutUsage() }
        guard let background, let id, !isOver else { return }
        // A task of its own, since this one is cancelled and cannot send; waited for, and limited in time by the
        // request.
        let callingOff = Task { try? await background.cancel(id) }
        _ = await callingOff.value
    }
}
