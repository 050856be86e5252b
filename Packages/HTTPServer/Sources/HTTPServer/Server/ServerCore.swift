// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Networking
import Synchronization

/// The state that all requests of a running server share.
final class ServerCore: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var connections: [ClientNetwork: Int] = [:]
        var isDraining = false
        var isStopping = false
        /// Resolved when no request is in flight.
        var drained: Promise<Void>?
        var random = SystemRandomNumberGenerator()
    }

    let configuration: HTTPServerConfiguration
    let logger: Logger
    let metrics: ServerMetrics
    let watch: ConnectionWatch
    private let handler: HTTPHandler
    private let state = Guarded(State())
    private let draining = Atomic<Bool>(false)
    private let lastConnection = Atomic<UInt64>(0)

    init(
        configuration: HTTPServerConfiguration, logger: Logger, metrics: ServerMetrics, handler: @escaping HTTPHandler
    ) throws(HTTPServerError) {
        self.configuration = configuration
        self.logger = logger
        self.metrics = metrics
        self.handler = handler
        watch = try ConnectionWatch(
            ConnectionWatch.Actions(
                hungUp: { connection, isBroken in
                    guard let exchange = connection.hangUp() else { return false }
                    if isBroken { exchange.close() } else { exchange.hungUp() }
                    return true
                },
                expired: { connection, kind in
                    metrics.connectionCut(kind)
                    if kind != .idle {
                        logger.notice("cut a connection off: its \(kind.name, privacy: .public) deadline passed")
                    }
                    let exchange = connection.exchange
                    connection.cut()
                    exchange?.close()
                }))
    }

    // MARK: Connections

    /// True if the network of an address may have one more connection. Threads that accept connections at once may
    /// exceed the limit by one each.
    func mayConnect(from address: SocketAddress?) -> Bool {
        let limit = configuration.maximumConnectionsPerAddress
        guard limit > 0, let network = address.flatMap({ ClientNetwork($0) }) else { return true }
        return state.withLock { $0.connections[network, default: 0] } < limit
    }

    private func count(_ address: SocketAddress?, by change: Int) {
        guard let network = address.flatMap({ ClientNetwork($0) }) else { return }
        state.withLock { state in
            let count = state.connections[network, default: 0] + change
            state.connections[network] = count > 0 ? count : nil
        }
    }

    func accepted(socket: Int32, _ address: SocketAddress?) -> ServerConnection {
        let identifier = lastConnection.add(1, ordering: .relaxed).newValue
        let connection = ServerConnection(identifier: identifier, socket: socket, remoteAddress: address)
        count(address, by: 1)
        watch.add(connection, deadline: configuration.headerTimeout, .header)
        metrics.connectionOpened()
        // A connection that was accepted while the server stopped listening.
        if isDraining { connection.cut() }
        return connection
    }

    func closed(_ connection: ServerConnection) {
        watch.remove(connection)
        connection.close()
        count(connection.remoteAddress, by: -1)
        metrics.connectionClosed()
    }

    // MARK: Requests

    func began(on connection: ServerConnection, target: [UInt8], targetAddress: UInt) -> Exchange {
        if connection.deadlineKind == .idle {
            watch.setDeadline(of: connection, in: configuration.headerTimeout, .header)
        }
        let exchange = Exchange(self, connection, target: target, targetAddress: targetAddress)
        let isStopping = state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            return state.isStopping
        }
        metrics.requestBegan()
        if isStopping { exchange.close() }
        return exchange
    }

    func ended(_ exchange: Exchange) {
        metrics.requestEnded()
        let drained = state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = nil
            return state.exchanges.isEmpty ? state.drained.take() : nil
        }
        drained?.resolve()
    }

    func makeRequestID(for head: RawHead) -> String {
        let given = head.fields.first { HTTPHeaders.areSame($0.name, "x-request-id") }
        return RequestID.accept(given.map { String(decoding: $0.value, as: UTF8.self) })
            ?? state.withLock { RequestID.make(random: &$0.random) }
    }

    /// Answers a request that no handler gets.
    func refused(_ problem: ServerProblem, requestID: String, by connection: ServerConnection) {
        metrics.requestAnswered(route: "(refused)", method: nil, status: problem.status, duration: .zero)
        logger.with("request", "\(requestID, privacy: .public)")
            .notice(
                "refused a request of \(connection.remoteAddress?.description ?? "?"): \(problem.status, privacy: .public) \(problem.detail ?? "", privacy: .public)"
            )
    }

    /// The handler's answer, or the answer for its error, in a form that can be sent.
    func answer(_ request: ServerRequest, since started: MonotonicTime) async -> ServerResponse {
        let logger = logger.with("request", "\(request.id, privacy: .public)")
        var response: ServerResponse
        do {
            response = try await handler(request)
        } catch {
            response = ServerProblem(error, logger: logger).response(requestID: request.id)
        }
        if let fault = ResponseRules.fault(of: response) {
            logger.error("the handler's answer cannot be sent: \(fault, privacy: .public)")
            response = ServerProblem.internalError.response(requestID: request.id)
        }
        finish(&response, requestID: request.id)
        metrics.requestAnswered(
            route: request.trace.route ?? "(none)", method: request.method, status: response.status,
            duration: MonotonicTime.now.duration(since: started))
        return response
    }

    /// Adds the fields of every answer.
    func finish(_ response: inout ServerResponse, requestID: String) {
        response.headers["X-Request-Id"] = requestID
        if let duration = configuration.tls?.strictTransportSecurity {
            response.headers["Strict-Transport-Security"] = "max-age=\(duration.components.seconds)"
        }
    }

    // MARK: Stopping

    var isDraining: Bool { draining.load(ordering: .acquiring) }

    /// Ends the connections that are idle; the others end with their next answer.
    func drain() {
        draining.store(true, ordering: .releasing)
        let exchanges = state.withLock { Array($0.exchanges.values) }
        let busy = Set(exchanges.map(\.connection.identifier))
        for connection in watch.connections where !busy.contains(connection.identifier) { connection.cut() }
        for exchange in exchanges { exchange.goAway() }
    }

    /// Returns when no request is in flight, or the task is cancelled.
    func waitUntilDrained() async {
        let drained = state.withLock { state -> Promise<Void>? in
            guard !state.exchanges.isEmpty else { return nil }
            let drained = state.drained ?? Promise()
            state.drained = drained
            return drained
        }
        try? await drained?.value()
    }

    /// Ends every request, so that no connection is or will be suspended.
    func stop() {
        let exchanges = state.withLock { state in
            state.isStopping = true
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.close() }
    }
}

extension HTTPHeaders {
    /// Compares names without regard to case.
    static func areSame(_ name: [UInt8], _ lowercased: StaticString) -> Bool {
        name.count == lowercased.utf8CodeUnitCount
            && String(decoding: name, as: UTF8.self).lowercased() == "\(lowercased)"
    }
}
