// SPDX-License-Identifier: MIT

import Concurrency
public import Networking

/// A client of one server of the Model Context Protocol.
///
/// The first request connects; `connect()` does so beforehand. A lost connection fails the requests that wait on it,
/// and the next request makes a new one: a program is started again after a wait that grows, a forgotten HTTP session
/// is begun anew. Any number of tasks may send requests at once. Cancelling a task cancels its request at the server.
///
/// Call ``close()`` at the end. A client that is dropped ends its program without waiting for it.
public actor MCPClient {
    /// The server.
    public nonisolated let server: MCPServer
    /// The name and version of this client.
    public nonisolated let information: MCPImplementation

    /// Gets the person's answer to a server's question.
    public typealias ElicitationHandler = @Sendable (MCPElicitation) async -> MCPElicitation.Answer

    enum State {
        case idle
        case connecting(Promise<MCPConnection>)
        case connected(MCPConnection)
        case closed
    }

    struct Waiter {
        let answer: Promise<JSONRPCSession.Outcome>
        let onProgress: (@Sendable (MCPProgress) -> Void)?
    }

    let clock: ClientClock
    let http: (any HTTPTransport)?
    let onElicitation: ElicitationHandler?
    var random: any RandomNumberGenerator & Sendable
    let tasks = OwnedTasks()
    let broadcast = MCPBroadcast()

    var state = State.idle
    var session = JSONRPCSession()
    var waiters: [JSONRPCID: Waiter] = [:]
    /// The connection that is being made or exists.
    var current: (number: Int, transport: any MCPTransport)?
    var connectionCount = 0
    /// The end of a connection that was still being made, which no request had to wait for any more.
    var earlyEnd: (number: Int, error: MCPError)?
    var restarts = RestartPolicy()
    /// True if the last connection needed a handshake; `server/discover` would cost such a program another start.
    var isKnownToShakeHands = false
    /// The elicitations whose answers are not sent yet.
    var elicitationCount = 0
    /// The replies that are being written, without those to elicitations.
    var replyCount = 0
    var logLevel: String?
    var subscribedURIs: Set<String> = []
    var listening: MCPListening?
    var toolHeaders: [String: MCPToolHeaders] = [:]
    var outputSchemas: [String: JSONValue] = [:]
    var ownTransport: CurlTransport?

    /// A client; nothing is started or sent yet.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - information: The name and version of this client.
    ///   - http: The transport of HTTP requests; `nil` makes a `CurlTransport` for this server alone.
    ///   - onElicitation: Answers a server's questions to the person. Without it each is declined.
    ///   - clock: The clock of time-outs and waits.
    ///   - random: The source of the waits' jitter.
    public init(
        _ server: MCPServer, information: MCPImplementation = MCPImplementation(name: "parley", version: "1"),
        http: (any HTTPTransport)? = nil, onElicitation: ElicitationHandler? = nil, clock: ClientClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.server = server
        self.information = information
        self.http = http
        self.onElicitation = onElicitation
        self.clock = clock
        self.random = random
    }

    deinit {
        tasks.cancel()
        listening?.stop()
        current?.transport.abandon()
        broadcast.finish()
    }

    /// Connects unless connected, and returns the server's information. A program that had ended too often is tried
    /// again.
    ///
    /// - Throws: `MCPError`; `CancellationError` when the task is cancelled, which leaves the connecting itself alone.
    @discardableResult
    public func connect() async throws -> MCPServerInformation {
        restarts.reset()
        return try await connection().information
    }

    /// The agreement with the server; nil while disconnected.
    public var serverInformation: MCPServerInformation? {
        if case .connected(let connection) = state { connection.information } else { nil }
    }

    /// The server's notifications, from now on. A slow consumer misses the oldest of more than 256. Ends when the
    /// client is closed.
    public nonisolated func events() -> AsyncStream<MCPEvent> { broadcast.events() }

    /// The newest bytes of a program's standard error, at most `MCPCommand.maximumErrorLogBytes`.
    public var errorLog: String { (current?.transport as? StdioTransport)?.errorLog ?? "" }

    /// Ends the connection in order, and with it the program; returns when that is done. Later requests fail.
    public func close() async {
        if case .closed = state { return }
        let error = MCPError(.closed, "The client of \(server.name) was closed.")
        if case .connecting(let promise) = state { promise.resolve(.failure(error)) }
        state = .closed
        let transport = current?.transport
        current = nil
        failAll(error)
        stopListening()
        await tasks.close()
        await transport?.close()
        await ownTransport?.close()
        broadcast.finish()
    }
}

/// A connection on which the handshake is done.
struct MCPConnection: Sendable {
    let number: Int
    let transport: any MCPTransport
    let information: MCPServerInformation

    var isStateless: Bool { information.version.isStateless }
}
