// SPDX-License-Identifier: MIT

/// The events of a server, over as many connections as it takes (WHATWG HTML §9.2).
///
/// Each iterator is a connection of its own. It connects at the first call of `next()`, and again after the
/// reconnection time when the connection ends, breaks or is silent for too long, with `Last-Event-ID`. It ends when the
/// server answers 204, throws when it answers with another status or content type, and throws `CancellationError` when
/// the consuming task is cancelled, which closes the connection.
///
/// Nothing runs in the background: a slow consumer makes the transport stop reading, and the server wait. Events are
/// neither dropped nor repeated by this side.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent

    private let request: HTTPRequest
    private let transport: any HTTPTransport
    private let configuration: Configuration
    private let clock: any Clock<Duration>
    private let random: any RandomNumberGenerator & Sendable

    /// An event source; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - request: The request. `Accept`, `Cache-Control` and `Last-Event-ID` are added, its idle and whole time-outs
    ///     and response limit are lifted.
    ///   - transport: Sends it.
    ///   - configuration: The behaviour.
    ///   - clock: The clock of waits.
    ///   - random: The source of the waits' jitter.
    public init(
        _ request: HTTPRequest, transport: any HTTPTransport, configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        var request = request
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-store"
        request.options.caching = .none
        request.maximumResponseBytes = .max
        request.timeouts = request.timeouts ?? HTTPTimeouts()
        request.timeouts?.idle = nil
        request.timeouts?.whole = nil
        self.request = request
        self.transport = transport
        self.configuration = configuration
        self.clock = clock
        self.random = random
    }

    /// Starts anew.
    public func makeAsyncIterator() -> Iterator {
        let isRepeatable =
            request.body.isRepeatable
            && (configuration.reconnects ?? request.options.isRepeatable ?? request.method.isSafe)
        return Iterator(
            connection: EventSourceConnection(
                request: request, transport: transport, idleTimeout: configuration.idleTimeout, clock: clock),
            configuration: configuration,
            machine: EventSourceStateMachine(configuration: configuration, mayReconnect: isRepeatable),
            clock: clock, random: random)
    }

    /// Reads events; for one task.
    public struct Iterator: AsyncIteratorProtocol {
        private let connection: EventSourceConnection
        private let configuration: Configuration
        private let clock: any Clock<Duration>
        private var random: any RandomNumberGenerator & Sendable
        private var machine: EventSourceStateMachine
        private var parser: ServerSentEventParser?
        private var body: HTTPResponseBody?
        private var events: ArraySlice<ServerSentEvent> = []
        private var action: EventSourceStateMachine.Action
        /// The parser's error after the events that it returned with it.
        private var parserFailure: NetworkError?

        init(
            connection: EventSourceConnection, configuration: Configuration, machine: EventSourceStateMachine,
            clock: any Clock<Duration>, random: any RandomNumberGenerator & Sendable
        ) {
            self.connection = connection
            self.configuration = configuration
            self.machine = machine
            self.clock = clock
            self.random = random
            action = machine.started()
        }

        /// The next event, or `nil` when the server has ended the stream for good.
        public mutating func next() async throws -> ServerSentEvent? {
            while true {
                if let event = events.popFirst() { return event }
                switch action {
                case .connect(let lastEventID): try await connect(lastEventID)
                case .read: try await read()
                case .wait(let delay):
                    configuration.onState?(.waiting(delay))
                    try await clock.sleep(for: delay)
                    action = machine.waited()
                case .finish:
                    close()
                    return nil
                case .fail(let error):
                    close()
                    throw error
                }
            }
        }

        private mutating func connect(_ lastEventID: String) async throws {
            configuration.onState?(.connecting)
            do {
                let response = try await connection.open(lastEventID: lastEventID)
                action = machine.responded(
                    status: response.status, contentType: response.headers.combined(for: "Content-Type"),
                    random: &random)
                guard case .read = action else { return }
                configuration.onState?(.open)
                body = response.body
                parser = ServerSentEventParser(
                    lastEventID: lastEventID, maximumEventSize: configuration.maximumEventSize)
            } catch let error as NetworkError {
                action = machine.ended(error, lastEventID: nil, retry: nil, random: &random)
            }
        }

        private mutating func read() async throws {
            guard let body, parserFailure == nil else { return end(parserFailure) }
            do {
                guard let bytes = try await connection.read(body) else { return end(nil) }
                machine.received()
                var found: [ServerSentEvent] = []
                do throws(NetworkError) {
                    try parser?.parse(bytes.span) { found.append($0) }
                } catch {
                    parserFailure = error
                }
                events = found[...]
            } catch let error as NetworkError {
                end(error)
            }
        }

        private mutating func end(_ error: NetworkError?) {
            action = machine.ended(
                error, lastEventID: parser?.lastEventID, retry: parser?.reconnectionTime, random: &random)
            body = nil
            parser = nil
            parserFailure = nil
        }

        private mutating func close() {
            configuration.onState?(.closed)
            body = nil
            parser = nil
            // A later call gets the end, not the error twice.
            action = .finish
        }
    }
}
