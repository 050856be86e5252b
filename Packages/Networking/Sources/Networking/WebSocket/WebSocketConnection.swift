// SPDX-License-Identifier: MIT

/// One open WebSocket, of either end (RFC 6455).
///
/// It reads, answers pings, pings, and writes on its own until it ends; then it holds no stream, task or timer. End it
/// with ``close(_:reason:)``: dropping it does not.
///
/// **Back-pressure.** Received messages wait in an inbox of bounded size; when it is full nothing more is read, pings
/// included, and the other end has to wait. `send` waits while the outbox is full and returns when the system
/// has taken the whole message.
///
/// **Memory.** A message of 20 MB exists once while it is received (a text twice, as it becomes a `String`) and once
/// while it is sent, besides pieces of a quarter of a megabyte.
public actor WebSocketConnection {
    typealias Machine = WebSocketStateMachine<SystemRandomNumberGenerator>

    /// The subprotocol that both ends agreed on.
    public nonisolated let subprotocol: String?

    private let stream: any ByteStream
    private let configuration: WebSocketConfiguration
    private let clock: any Clock<Duration>

    private var machine: Machine
    private var inbox: ArraySlice<WebSocketMessage> = []
    private var inboxBytes = 0
    private let receivers = WaitingLine<WebSocketMessage?>()
    private let senders = WaitingLine<Void>()
    private let outboxWaiters = WaitingLine<Void>()
    private let closeWaiters = WaitingLine<Void>()
    /// The reading task, while the inbox is full.
    private var readerPause: CheckedContinuation<Void, Never>?
    /// The writing task, while there is nothing to write.
    private var writerPause: CheckedContinuation<Void, Never>?
    private var tasks: [Task<Void, Never>] = []
    private var lastIdentifier: UInt64 = 0

    /// The end of the connection; `nil` while it is open.
    public private(set) var closure: WebSocketClosure?

    /// Large enough that the change of thread for each piece does not count.
    private static let pieceSize = 256 << 10

    /// A connection right after the handshake, for either end. Call `start` once.
    ///
    /// - Parameters:
    ///   - stream: The stream of the connection, which closes it.
    ///   - role: This end's role.
    ///   - subprotocol: The subprotocol that was agreed on.
    ///   - configuration: The behaviour.
    ///   - clock: The clock of pings and the closing handshake.
    public init(
        stream: any ByteStream, role: WebSocketRole, subprotocol: String? = nil,
        configuration: WebSocketConfiguration = WebSocketConfiguration(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        var configuration = configuration
        // With no room at all, nothing would ever be read or sent.
        configuration.maximumInboxMessages = max(1, configuration.maximumInboxMessages)
        configuration.maximumInboxBytes = max(1, configuration.maximumInboxBytes)
        configuration.maximumOutboxBytes = max(1, configuration.maximumOutboxBytes)
        self.stream = stream
        self.subprotocol = subprotocol
        self.configuration = configuration
        self.clock = clock
        machine = Machine(role: role, configuration: configuration, random: SystemRandomNumberGenerator())
    }

    /// Begins to read and write.
    ///
    /// - Parameter bytes: The bytes after the handshake's head that were read with it.
    public func start(after bytes: [UInt8] = []) {
        guard tasks.isEmpty, closure == nil else { return }
        tasks.append(Task { await readLoop(bytes) })
        tasks.append(Task { await writeLoop() })
        if let interval = configuration.pingInterval { tasks.append(Task { await pingLoop(interval) }) }
    }

    // MARK: Sending

    /// Sends a message, after all earlier ones.
    ///
    /// Returns when the system has taken all of it, which does not say that the other end has received it.
    ///
    /// - Throws: `NetworkError` with the code `closed` if nothing of it was sent, and `deliveryUnknown` if the
    ///   connection ended while it was being sent. `CancellationError` if the task was cancelled before its first byte
    ///   was sent; after that, cancelling has no effect, since half a message cannot be taken back.
    public func send(_ message: WebSocketMessage) async throws {
        while machine.isOpen, machine.outbox.messageBytes >= configuration.maximumOutboxBytes {
            try await outboxWaiters.wait(nextIdentifier())
        }
        // Sent or not, it may leave room for the next in line.
        defer { wakeOutboxWaiters() }
        try Task.checkCancellation()
        guard machine.isOpen else { throw NetworkError.webSocketClosed(closure) }
        let identifier = nextIdentifier()
        machine.enqueue(message, identifier: identifier)
        wakeOutboxWaiters()
        wakeWriter()
        do {
            try await senders.wait(identifier)
        } catch let cancellation as CancellationError {
            // Nothing of it will be sent: it left the line before the writing task committed to it.
            _ = machine.withdraw(identifier)
            throw cancellation
        }
    }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) async throws { try await send(.binary(bytes)) }

    // MARK: Receiving

    /// The next message, or `nil` after the closing handshake; ``closure`` then has the code.
    ///
    /// - Throws: `NetworkError` when the connection broke or the other end broke the protocol. `CancellationError`
    ///   when the task is cancelled; no message is lost by that.
    public func receive() async throws -> WebSocketMessage? {
        if let message = inbox.popFirst() {
            inboxBytes -= message.byteCount
            resumeReader()
            return message
        }
        if let closure {
            if let error = closure.error { throw error }
            return nil
        }
        return try await receivers.wait(nextIdentifier())
    }

    /// The later messages, until the connection ends. Several iterators share them.
    public nonisolated var messages: WebSocketMessages { WebSocketMessages(connection: self) }

    // MARK: Closing

    /// Closes the connection by the closing handshake and returns when it has ended, at the latest after the close
    /// time-out. Messages that already wait are sent first; later messages of the other end are dropped.
    ///
    /// - Parameters:
    ///   - code: A code that may be sent.
    ///   - reason: A text for people and logs; at most 123 bytes of UTF-8, the rest is cut off.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        perform(machine.close(code, reason: reason))
        resumeReader()
        guard closure == nil else { return }
        // A cancelled task does not wait for the handshake, which continues by itself.
        try? await closeWaiters.wait(nextIdentifier())
    }

    /// Ends the connection at once, without the closing handshake, as a broken line does: the other end sees 1006.
    /// Messages that are not sent yet are lost.
    public func cut() {
        broken(NetworkError(code: .closed, message: "This end broke the WebSocket off. Connect again."))
    }

    private func nextIdentifier() -> UInt64 {
        lastIdentifier += 1
        return lastIdentifier
    }

    // MARK: The machine's actions

    private func perform(_ actions: [Machine.Action]) {
        for action in actions {
            switch action {
            case .deliver(let message):
                if receivers.resumeFirst(returning: message) { continue }
                inbox.append(message)
                inboxBytes += message.byteCount
            case .write:
                wakeWriter()
            case .startCloseTimer:
                tasks.append(Task { await closeTimer() })
            case .end(let closure):
                end(closure)
            }
        }
    }

    private func end(_ closure: WebSocketClosure) {
        guard self.closure == nil else { return }
        self.closure = closure
        stream.close()
        for task in tasks { task.cancel() }
        tasks = []
        readerPause?.resume()
        readerPause = nil
        wakeWriter()
        receivers.resumeAll { _ in closure.error.map { .failure($0) } ?? .success(nil) }
        senders.resumeAll { identifier in
            .failure(machine.withdraw(identifier) ? NetworkError.webSocketClosed(closure) : .deliveryUnknown(closure))
        }
        outboxWaiters.resumeAll { _ in .success(()) }
        closeWaiters.resumeAll { _ in .success(()) }
    }

    // MARK: Reading

    private var isInboxFull: Bool {
        inbox.count >= configuration.maximumInboxMessages || inboxBytes >= configuration.maximumInboxBytes
    }

    private func readLoop(_ first: [UInt8]) async {
        perform(machine.received(first))
        while closure == nil {
            if isInboxFull, machine.isOpen {
                await withCheckedContinuation { readerPause = $0 }
                continue
            }
            do {
                let bytes = try await stream.read()
                perform(bytes.isEmpty ? machine.endOfStream() : machine.received(bytes))
            } catch {
                broken(error)
            }
        }
    }

    private func resumeReader() {
        guard let pause = readerPause, !isInboxFull || !machine.isOpen else { return }
        readerPause = nil
        pause.resume()
    }

    // MARK: Writing

    private func writeLoop() async {
        while closure == nil {
            guard let chunk = machine.nextChunk(limit: Self.pieceSize, mayBegin: senders.commit) else {
                await withCheckedContinuation { writerPause = $0 }
                continue
            }
            do {
                try await stream.write(chunk.bytes)
            } catch {
                return perform(machine.writeFailed(Self.networkError(error)))
            }
            for identifier in chunk.finished { senders.resume(identifier, returning: ()) }
            wakeOutboxWaiters()
            if chunk.hasClose {
                // Messages that the close frame overtook never began, or broke off between two fragments.
                senders.resumeAll { _ in .failure(NetworkError.webSocketClosed(closure)) }
                outboxWaiters.resumeAll { _ in .success(()) }
                perform(machine.closeWritten())
            }
        }
    }

    private func wakeWriter() {
        writerPause?.resume()
        writerPause = nil
    }

    private func wakeOutboxWaiters() {
        if machine.outbox.messageBytes < configuration.maximumOutboxBytes { outboxWaiters.resumeFirst(returning: ()) }
    }

    private func broken(_ error: any Error) { perform(machine.broken(Self.networkError(error))) }

    private static func networkError(_ error: any Error) -> NetworkError {
        error as? NetworkError
            ?? NetworkError(
                code: .connectionLost, message: "The connection broke. Connect again.", underlying: error)
    }

    // MARK: Time

    private func pingLoop(_ interval: Duration) async {
        do {
            while closure == nil {
                try await clock.sleep(for: interval)
                perform(machine.pingDue())
                try await clock.sleep(for: configuration.pongTimeout)
                perform(machine.pongDue(isReading: readerPause == nil))
            }
        } catch {
            // Cancelled: the connection has ended.
        }
    }

    private func closeTimer() async {
        do {
            try await clock.sleep(for: configuration.closeTimeout)
            perform(machine.closeTimedOut())
        } catch {
            // Cancelled: the connection has ended.
        }
    }
}
