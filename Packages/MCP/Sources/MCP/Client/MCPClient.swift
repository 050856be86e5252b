// SPDX-License-Identifier: MIT

import Concurrency
public import Networking

/// One server of the Model Context Protocol, spoken to as a client.
///
/// The first request connects; `connect()` does so beforehand. A connection that is lost fails the requests that wait on
/// it, and the next request makes a new one: a program is started again after a wait that grows, a forgotten HTTP session
/// is begun anew. Any number of tasks may ask at once. Cancelling a task tells the server.
///
/// Call ``close()`` at the end. A client that is dropped ends its program without waiting for it.
public actor MCPClient {
    /// The server.
    public nonisolated let server: MCPServer
    /// Who says that it asks.
    public nonisolated let information: MCPImplementation

    /// What the person answers to a server's question.
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
    /// The connection that is being made or stands.
    var current: (number: Int, transport: any MCPTransport)?
    var connectionCount = 0
    var restarts = RestartPolicy()
    /// What the last connection found out; asking again would cost a program that knows only the handshake a start.
    var isKnownToShakeHands = false
    var servedCount = 0
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
    ///   - information: Who says that it asks.
    ///   - http: What sends HTTP requests; `nil` makes a `CurlTransport` for this server alone.
    ///   - onElicitation: What answers a server's questions to the person. Without it each is declined.
    ///   - clock: What time-outs and waits are measured by.
    ///   - random: Where the spread of waits comes from.
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

    /// Connects, unless that is done, and says with whom. A program that had ended too often is tried again.
    ///
    /// - Throws: `MCPError`; `CancellationError` when the task is cancelled, which leaves the connecting itself alone.
    @discardableResult
    public func connect() async throws -> MCPServerInformation {
        restarts.reset()
        return try await connection().information
    }

    /// What was agreed on with the server, while a connection stands.
    public var serverInformation: MCPServerInformation? {
        if case .connected(let connection) = state { connection.information } else { nil }
    }

    /// What the server tells without being asked, from now on. A consumer that is slow misses the oldest of more than
    /// 256. Ends when the client is closed.
    public nonisolated func events() -> AsyncStream<MCPEvent> { broadcast.events() }

    /// The newest that a program has written to its standard error, at most `MCPCommand.maximumErrorLogBytes`.
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
