// SPDX-License-Identifier: MIT

/// A WebSocket that opens itself again, until it is closed, the server closes it on purpose, or what went wrong would
/// go wrong again.
///
/// Whoever iterates over ``events`` drives it, and a slow consumer makes the server wait. After each connection the
/// `restore` hook runs before anything else is sent: subscriptions, a session to resume.
///
/// **Nothing is sent twice silently.** A message is handed to one connection only. ``send(_:)`` waits while there is
/// none. If the connection ends while the message is being sent, it throws `deliveryUnknown`, and the caller, who knows
/// whether the message may come twice, decides.
public actor ReconnectingWebSocket {
    private let configuration: Configuration
    private let connect: @Sendable () async throws -> WebSocketConnection
    private let restore: @Sendable (WebSocketConnection) async throws -> Void
    private let clock: any Clock<Duration>
    private var random: any RandomNumberGenerator & Sendable
    private var machine: ReconnectingWebSocketStateMachine

    private var connection: WebSocketConnection?
    private var connectionCount = 0
    private var delay: Duration?
    /// The wait for a new connection, its opening and its restoring: what `close` has to cut short.
    private var attempt: Task<WebSocketConnection, any Error>?
    private var isClosed = false
    private let senders = WaitingLine<Void>()
    private var lastIdentifier: UInt64 = 0

    /// A WebSocket; nothing is sent before somebody iterates over ``events``.
    ///
    /// - Parameters:
    ///   - configuration: How to behave.
    ///   - clock: What waits are timed by.
    ///   - random: Where the spread of waits comes from.
    ///   - connect: Opens a connection, as `WebSocketConnection.open` does. It is called for each anew, so that it can
    ///     take a fresh token.
    ///   - restore: Runs on each new connection before other messages are sent. If it throws, the connection is closed
    ///     and counts as failed.
    public init(
        configuration: Configuration = Configuration(), clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        connect: @escaping @Sendable () async throws -> WebSocketConnection,
        restore: @escaping @Sendable (WebSocketConnection) async throws -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.clock = clock
        self.random = random
        self.connect = connect
        self.restore = restore
        machine = ReconnectingWebSocketStateMachine(configuration: configuration)
    }

    /// What happens, for one consumer. Ends when this end or the server closes on purpose.
    public nonisolated var events: Events { Events(socket: self) }

    /// Sends a message on the current connection, or waits for the next one.
    ///
    /// - Throws: `NetworkError` with the code `deliveryUnknown` if the connection ended while the message was being
    ///   sent, and `closed` when there will be no other. `CancellationError` if nothing was sent.
    public func send(_ message: WebSocketMessage) async throws {
        var tried: WebSocketConnection?
        while true {
            guard !isClosed else { throw Self.closedError }
            guard let connection, connection !== tried else {
                lastIdentifier += 1
                try await senders.wait(lastIdentifier)
                continue
            }
            tried = connection
            do {
                return try await connection.send(message)
            } catch let error as NetworkError where error.code == .closed {
                // Nothing of it was sent, so it may wait for the next connection.
                continue
            }
        }
    }

    /// Closes the connection by the closing handshake and connects no more. An attempt to connect is cancelled, and so is
    /// the `restore` hook.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        finish()
        attempt?.cancel()
        await connection?.close(code, reason: reason)
    }

    /// The next event, or `nil` at the end.
    ///
    /// - Throws: `NetworkError` when it gives up; `CancellationError`, after which it can be called again.
    func next() async throws -> Event? {
        guard !isClosed else { return nil }
        if let connection { return try await receive(from: connection) }
        let attempt = Task { [delay, clock, connect, restore] in
            if let delay { try await clock.sleep(for: delay) }
            return try await Self.open(connect, restore)
        }
        self.attempt = attempt
        let result = await withTaskCancellationHandler {
            await attempt.result
        } onCancel: {
            attempt.cancel()
        }
        self.attempt = nil
        do {
            let new = try result.get()
            guard !isClosed else {
                await new.close()
                return nil
            }
            return adopt(new)
        } catch {
            guard !isClosed else { return nil }
            guard let error = error as? NetworkError else { throw error }
            let closure = WebSocketClosure(code: .abnormal, error: error)
            return try follow(machine.failed(error, random: &random), after: closure)
        }
    }

    private static func open(
        _ connect: @Sendable () async throws -> WebSocketConnection,
        _ restore: @Sendable (WebSocketConnection) async throws -> Void
    ) async throws -> WebSocketConnection {
        let new = try await connect()
        do {
            try await restore(new)
            return new
        } catch {
            await new.close(.goingAway)
            throw error
        }
    }

    private func adopt(_ new: WebSocketConnection) -> Event {
        delay = nil
        connection = new
        connectionCount += 1
        senders.resumeAll { _ in .success(()) }
        return .connected(number: connectionCount)
    }

    private func receive(from connection: WebSocketConnection) async throws -> Event? {
        do {
            if let message = try await connection.receive() {
                machine.received()
                return .message(message)
            }
        } catch is NetworkError {
            // The closure tells of it.
        }
        self.connection = nil
        guard !isClosed else { return nil }
        let closure = await connection.closure ?? WebSocketClosure(code: .abnormal)
        return try follow(machine.ended(closure, random: &random), after: closure)
    }

    private func follow(
        _ decision: ReconnectingWebSocketStateMachine.Decision, after closure: WebSocketClosure
    ) throws -> Event? {
        switch decision {
        case .wait(let delay):
            self.delay = delay
            return .disconnected(closure, retryAfter: delay)
        case .stop:
            let wasClosed = isClosed
            finish()
            if let error = closure.error, !wasClosed { throw error }
            return nil
        }
    }

    private func finish() {
        isClosed = true
        senders.resumeAll { _ in .failure(Self.closedError) }
    }

    private static var closedError: NetworkError {
        NetworkError(code: .closed, message: "The WebSocket is closed; the message was not sent. Open a new one.")
    }

    /// The events of one socket; all iterators share them.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Event

        let socket: ReconnectingWebSocket

        /// An iterator, which connects at its first `next()`.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// Takes events.
        public struct Iterator: AsyncIteratorProtocol {
            let socket: ReconnectingWebSocket

            /// The next event, or `nil` at the end.
            public mutating func next() async throws -> Event? { try await socket.next() }
        }
    }
}
