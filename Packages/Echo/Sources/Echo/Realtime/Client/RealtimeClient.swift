// SPDX-License-Identifier: MIT

import Networking

/// One voice session: typed events over a WebSocket.
///
/// ```swift
/// let client = try await RealtimeClient.connect(api, session: RealtimeSessionConfiguration())
/// try await client.send(.inputAudioAppend(sound))
/// while let event = try await client.receive() { … }
/// ```
///
/// **Order.** Events are sent in the order of the calls. Events arrive in the server's order, each once, for one
/// consumer.
///
/// **Back-pressure.** `send` waits while a megabyte is on its way. Unread events make the server wait.
///
/// End it with ``close()``: dropping it does not.
actor RealtimeClient {
    /// The session as the server confirmed it.
    nonisolated let session: RealtimeSession
    private let connection: WebSocketConnection
    private let api: APIConnection
    private let line: TurnLine
    /// Events that arrived before the session was confirmed.
    private var early: ArraySlice<ServerEvent>
    private var sent = 0
    /// The server's last error that ends a session.
    private var lastFailure: SessionLifecycle.Failure?
    private var endError: EchoError?

    init(
        connection: WebSocketConnection, api: APIConnection, session: RealtimeSession, early: ArraySlice<ServerEvent>
    ) {
        self.connection = connection
        self.api = api
        self.session = session
        self.early = early
        line = TurnLine()
    }

    // MARK: Sending

    /// Sends an event, after those that were sent before. One without a name is given one.
    ///
    /// Returns when the system has taken all of it, which does not say that the server has it.
    ///
    /// - Returns: The event's name, to which an `error` of the server refers.
    /// - Throws: `EchoError.invalidConfiguration(_:)` for what the server would refuse,
    ///   `EchoError.connectionFailed(_:)` when the session is over, `CancellationError`.
    @discardableResult
    func send(_ event: ClientEvent) async throws -> String {
        try event.validate()
        if case .sessionUpdate(let session) = event.detail { try session.validate(for: api.configuration.endpoint) }
        if case .itemCreate(let item, _) = event.detail, item.hasImage {
            let model = api.configuration.realtimeModel
            try api.configuration.endpoint.validateImages(for: model.rawValue, areAccepted: model.acceptsImages)
        }
        try await line.enter()
        defer { line.leave() }
        var event = event
        sent += 1
        let id = event.id ?? "echo-\(sent)"
        event.id = id
        do {
            try await connection.send(.text(event.json.text))
        } catch {
            throw Self.map(error, api)
        }
        return id
    }

    /// Sends an event, after all earlier ones.
    @discardableResult
    func send(_ detail: ClientEvent.Detail) async throws -> String { try await send(ClientEvent(detail)) }

    // MARK: Receiving

    /// The next event, or `nil` when the session is over; ``failure`` then says why.
    ///
    /// What is JSON and lacks a field that its kind must have comes as ``ServerEvent/Detail/unknown(type:_:)``.
    ///
    /// - Throws: `EchoError.malformedResponse(_:requestID:)` when the server sends what is no JSON: the session is
    ///   closed then. `EchoError.connectionFailed(_:)` when the connection breaks. `CancellationError`; no event is
    ///   lost by that.
    func receive() async throws -> ServerEvent? {
        if let event = early.popFirst() { return event }
        if let endError { throw endError }
        do {
            guard let message = try await connection.receive() else { return nil }
            var event = try Self.event(message)
            if case .error(let failure, let id) = event.detail {
                let failure = api.redact(failure)
                if let fatal = SessionLifecycle.Failure(failure) { lastFailure = fatal }
                event.detail = .error(failure, clientEventID: id)
            }
            return event
        } catch let error as EchoError {
            endError = error
            await connection.close(.invalidPayload)
            throw error
        } catch {
            throw Self.map(error, api)
        }
    }

    // MARK: The end

    /// Closes the session and returns when it has ended, after five seconds at the latest.
    func close() async { await connection.close(.normal) }

    /// The reason for the end, which says if another session may do better; `nil` while the session is open.
    var failure: SessionLifecycle.Failure? {
        get async {
            guard let closure = await connection.closure else { return nil }
            if let lastFailure { return lastFailure }
            // An unreadable message may stem from any hop on the way: the next session may work.
            if endError != nil { return .broken(retryAfter: nil) }
            if closure.error?.code == .connectionLost { return .broken(retryAfter: nil) }
            let words = api.redact(APIFailure(message: closure.reason)).message
            return SessionLifecycle.Failure(closure.code, reason: words)
        }
    }
}
