// SPDX-License-Identifier: MIT

import CMicroHTTPDCalls
import Concurrency
public import Diagnostics

/// Answers a request. An error becomes problem details: a ``ServerProblem`` as it says, any other error a 500.
public typealias HTTPHandler = @Sendable (ServerRequest) async throws -> ServerResponse

/// An HTTP/1.1 server over libmicrohttpd.
///
/// Handlers run as tasks; libmicrohttpd's threads only move bytes. When a client disconnects in the middle of its
/// request, the task of its handler is cancelled. A client that shuts down only its sending side counts as disconnected
/// too; an answer that is made anyway is sent to it.
///
/// Several servers can run in one process. Dropping a server does not stop it: call ``stop(grace:)``.
public final class HTTPServer: Sendable {
    private enum Phase {
        case new
        case starting
        case running(Running)
        case stopping(Task<Void, Never>)
        case stopped
    }

    private struct Running: Sendable {
        let core: ServerCore
        var daemon: Daemon
        let socket: ListeningSocket
        let address: SocketAddress
        /// The daemons with an earlier certificate, which accept no more connections.
        var retired: [Daemon] = []
    }

    /// The address and limits.
    public let configuration: HTTPServerConfiguration
    /// The server's counters.
    public let metrics: ServerMetrics
    private let logger: Logger
    private let handler: HTTPHandler
    private let phase = Guarded(Phase.new)

    /// A server that has not started yet.
    ///
    /// - Parameters:
    ///   - configuration: The address and limits.
    ///   - logger: Receives faults, and requests that are refused. Addresses of clients are private in it.
    ///   - metrics: The counters; share them with a `/metrics` route.
    ///   - handler: Answers requests; a ``Router``'s, for example.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(), logger: Logger = .disabled,
        metrics: ServerMetrics = ServerMetrics(), handler: @escaping HTTPHandler
    ) {
        self.configuration = configuration
        self.logger = logger
        self.metrics = metrics
        self.handler = handler
    }

    /// Listens, and returns the address with the port that the system chose.
    ///
    /// - Throws: ``HTTPServerError``. A server starts once.
    public func start() async throws -> SocketAddress {
        try phase.withLock { phase in
            guard case .new = phase else {
                throw HTTPServerError(code: .alreadyStarted, message: "A server starts once. Make another one.")
            }
            phase = .starting
        }
        do {
            let running = try launch()
            phase.withLock { $0 = .running(running) }
            logger.info("listening on \(running.address.description, privacy: .public)")
            return running.address
        } catch {
            phase.withLock { $0 = .stopped }
            throw error
        }
    }

    private func launch() throws(HTTPServerError) -> Running {
        if let reason = cmhd_load() { throw HTTPServerError(code: .libraryMissing, message: String(cString: reason)) }
        let socket: ListeningSocket
        do throws(SocketError) {
            socket = try ListeningSocket(.tcp(host: configuration.host, port: configuration.port))
        } catch { throw HTTPServerError(error) }
        guard let address = SocketAddress(socket.address) else {
            preconditionFailure("A socket of TCP has another address.")
        }
        let core: ServerCore
        do throws(HTTPServerError) {
            core = try ServerCore(configuration: configuration, logger: logger, metrics: metrics, handler: handler)
        } catch {
            socket.close()
            throw error
        }
        do throws(HTTPServerError) {
            return Running(
                core: core, daemon: try Daemon(core, socket: socket, tls: configuration.tls), socket: socket,
                address: address)
        } catch {
            core.watch.stop()
            socket.close()
            throw error
        }
    }

    /// Serves new connections with another certificate; open ones keep theirs. When this throws, nothing has changed.
    ///
    /// - Throws: ``HTTPServerError``: `certificate`, and `notServingTLS` for a server that does not run, or runs
    ///   without TLS.
    public func useCertificate(_ tls: HTTPServerConfiguration.TLS) async throws {
        let finished = try phase.withLock { phase in
            guard case .running(var running) = phase, configuration.tls != nil else {
                throw HTTPServerError(
                    code: .notServingTLS, message: "Only a server that was started with a certificate takes another.")
            }
            let old = running.daemon
            running.daemon = try Daemon(running.core, socket: running.socket, tls: tls)
            let finished = running.retired.filter(\.isFinished)
            running.retired.removeAll { retired in finished.contains { $0 === retired } }
            running.retired.append(old)
            phase = .running(running)
            // Under the lock: `stop` frees the daemon.
            old.quiesce()
            return finished
        }
        await BlockingCall.run { for daemon in finished { daemon.stop() } }
        logger.info("the certificate was replaced")
    }

    /// Stops: no new connections from now on, idle ones are closed, requests in flight have until the end of the grace
    /// period and are then cut off. Returns when every connection is closed; a second call waits for the first.
    ///
    /// Tasks of handlers that were cut off are cancelled and not waited for. Cancelling the caller has no effect.
    ///
    /// - Parameter grace: The time limit of requests in flight.
    public func stop(grace: Duration = .seconds(10)) async {
        let task = phase.withLock { phase -> Task<Void, Never>? in
            switch phase {
            case .running(let running):
                let task = Task { await self.shutDown(running, grace: grace) }
                phase = .stopping(task)
                return task
            case .stopping(let task): return task
            case .new:
                phase = .stopped
                return nil
            case .starting, .stopped: return nil
            }
        }
        await task?.value
    }

    private func shutDown(_ running: Running, grace: Duration) async {
        let core = running.core
        running.daemon.quiesce()
        // A daemon that has not quiesced yet finds the socket shut down.
        running.socket.shutDown()
        core.drain()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await core.waitUntilDrained() }
            group.addTask { try? await Task.sleep(for: grace) }
            await group.next()
            group.cancelAll()
        }
        core.stop()
        await BlockingCall.run { for daemon in running.retired + [running.daemon] { daemon.stop() } }
        core.watch.stop()
        running.socket.close()
        phase.withLock { $0 = .stopped }
        logger.info("stopped")
    }
}
