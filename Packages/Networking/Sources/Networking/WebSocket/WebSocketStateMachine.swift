// SPDX-License-Identifier: MIT

/// The life of an open connection (RFC 6455 §§5.5 and 7) without its I/O: bytes and times in, actions out.
struct WebSocketStateMachine<Random: RandomNumberGenerator & Sendable>: Sendable {
    /// An action of the driver.
    enum Action {
        /// Hand a message to the application.
        case deliver(WebSocketMessage)
        /// Check for bytes to write.
        case write
        /// Call `closeTimedOut()` after the close time-out.
        case startCloseTimer
        /// Close the stream; the connection has ended so.
        case end(WebSocketClosure)
    }

    private enum Phase {
        case open
        /// This end has requested the close, and waits for the other's frame.
        case closing
        /// The other end's close frame has arrived; this end's follows, then the stream's end.
        case draining(WebSocketClosure)
        /// A violation was found; the stream ends when the close frame has been written.
        case failing(WebSocketClosure)
        case ended
    }

    private var phase = Phase.open
    private var decoder: WebSocketFrameDecoder
    private var hasHeardSincePing = true
    /// The error after which nothing can be written; the other end's last words may still come.
    private var writeError: NetworkError?
    private let configuration: WebSocketConfiguration
    private let role: WebSocketRole
    /// The messages and frames that wait to be written.
    private(set) var outbox: WebSocketOutbox<Random>

    init(role: WebSocketRole, configuration: WebSocketConfiguration, random: Random) {
        self.role = role
        self.configuration = configuration
        decoder = WebSocketFrameDecoder(role: role, maximumMessageSize: configuration.maximumMessageSize)
        outbox = WebSocketOutbox(role: role, random: random)
    }

    /// True if messages may be sent.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// True if the connection has ended.
    var isEnded: Bool { if case .ended = phase { true } else { false } }

    mutating func received(_ bytes: [UInt8]) -> [Action] {
        hasHeardSincePing = true
        var events: [WebSocketFrameDecoder.Event] = []
        var violation: NetworkError?
        do throws(NetworkError) {
            try decoder.decode(bytes.span) { events.append($0) }
        } catch {
            violation = error
        }
        var actions = events.flatMap { handle($0) }
        if let violation { actions += failed(violation) }
        return actions
    }

    private mutating func handle(_ event: WebSocketFrameDecoder.Event) -> [Action] {
        switch (event, phase) {
        case (_, .ended), (_, .failing), (.pong, _):
            return []
        case (.message(let message), .open):
            return [.deliver(message)]
        case (.message, _):
            // This end is closing: the application no longer wants messages.
            return []
        case (.ping(let payload), _):
            outbox.pong(payload)
            return [.write]
        case (.close(let code, let reason), _) where writeError != nil:
            // No answer can be written.
            return end(WebSocketClosure(code: code, reason: reason))
        case (.close(let code, let reason), .open):
            phase = .draining(WebSocketClosure(code: code, reason: reason))
            outbox.close(code, reason: "", afterMessages: false)
            return [.startCloseTimer, .write]
        case (.close(let code, let reason), _):
            phase = .draining(WebSocketClosure(code: code, reason: reason))
            // If this end's frame still waits behind messages, the other end will not read those any more.
            outbox.close(code, reason: "", afterMessages: false)
            return outbox.isClosed ? closeWritten() : [.write]
        }
    }

    private mutating func failed(_ violation: NetworkError) -> [Action] {
        let closure = WebSocketClosure(code: violation.webSocketCloseCode, error: violation)
        switch phase {
        case .open:
            phase = .failing(closure)
            outbox.close(closure.code, reason: "", afterMessages: false)
            return [.startCloseTimer, .write]
        case .closing:
            return end(closure)
        case .draining, .failing, .ended:
            return []
        }
    }

    /// Handles the application's request to end the connection.
    mutating func close(_ code: WebSocketCloseCode, reason: String) -> [Action] {
        guard isOpen else { return [] }
        phase = .closing
        outbox.close(code, reason: reason, afterMessages: true)
        return [.startCloseTimer, .write]
    }

    /// Handles the end of writing the close frame.
    mutating func closeWritten() -> [Action] {
        switch phase {
        // The server closes TCP first, so that the client keeps no port in TIME_WAIT (§7.1.1). The client reads on
        // until then: closing with bytes unread would reset the connection and may swallow the close frame.
        case .draining(let closure), .failing(let closure): role == .server ? end(closure) : []
        case .open, .closing, .ended: []
        }
    }

    /// Handles the end of the other end's stream.
    mutating func endOfStream() -> [Action] {
        broken(
            NetworkError(
                code: .connectionLost,
                message: "The other end broke the WebSocket off without closing it. Connect again."))
    }

    /// Handles a broken stream.
    mutating func broken(_ error: NetworkError) -> [Action] {
        switch phase {
        case .open, .closing: end(WebSocketClosure(code: .abnormal, error: writeError ?? error))
        // Both close frames have arrived: the stream's end then says nothing.
        case .draining(let closure), .failing(let closure): end(closure)
        case .ended: []
        }
    }

    /// Handles a failed write. Reading goes on for a while: an end that hangs up may have said why.
    mutating func writeFailed(_ error: NetworkError) -> [Action] {
        switch phase {
        case .open, .closing:
            writeError = error
            return [.startCloseTimer]
        case .draining, .failing, .ended: return broken(error)
        }
    }

    /// Handles the time-out of the closing handshake.
    mutating func closeTimedOut() -> [Action] {
        broken(
            NetworkError(
                code: .timeout,
                message: "The other end did not answer the close of the WebSocket within \(configuration.closeTimeout)."
            ))
    }

    /// Handles the time for a ping.
    mutating func pingDue() -> [Action] {
        guard isOpen else { return [] }
        hasHeardSincePing = false
        outbox.ping()
        return [.write]
    }

    /// Handles the pong's deadline.
    ///
    /// - Parameter isReading: True if bytes were read meanwhile; with a full inbox the pong may be waiting unread.
    mutating func pongDue(isReading: Bool) -> [Action] {
        guard isOpen, !hasHeardSincePing, isReading else { return [] }
        return broken(
            NetworkError(
                code: .idleTimeout,
                message: "The other end of the WebSocket did not answer a ping within \(configuration.pongTimeout)."))
    }

    private mutating func end(_ closure: WebSocketClosure) -> [Action] {
        phase = .ended
        return [.end(closure)]
    }

    mutating func enqueue(_ message: WebSocketMessage, identifier: UInt64) {
        outbox.enqueue(message, identifier: identifier, fragmentSize: configuration.fragmentSize)
    }

    mutating func withdraw(_ identifier: UInt64) -> Bool { outbox.withdraw(identifier) }

    /// - Parameter mayBegin: True if the sender of a message still wants it; else it is dropped.
    mutating func nextChunk(
        limit: Int, mayBegin: (_ identifier: UInt64) -> Bool = { _ in true }
    ) -> WebSocketOutbox<Random>.Chunk? {
        isEnded ? nil : outbox.next(limit: limit, mayBegin: mayBegin)
    }
}
