// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import HTTPServer
import Networking

/// A server on a port that the system chose, for the time of `body`.
@discardableResult
func withServer<Value>(
    _ configuration: HTTPServerConfiguration = .patient, logger: Logger = .disabled,
    metrics: ServerMetrics = ServerMetrics(), handler: @escaping HTTPHandler,
    body: (TestServer) async throws -> Value
) async throws -> Value {
    let server = HTTPServer(configuration: configuration, logger: logger, metrics: metrics, handler: handler)
    let address = try await server.start()
    do {
        let value = try await body(TestServer(server: server, port: address.port))
        await server.stop(grace: .zero)
        return value
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
}

extension HTTPServerConfiguration {
    /// The defaults with deadlines that a client on a busy machine meets, too.
    static var patient: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.headerTimeout = .seconds(300)
        configuration.idleTimeout = .seconds(300)
        configuration.bodyIdleTimeout = .seconds(300)
        configuration.writeTimeout = .seconds(300)
        configuration.transferGrace = .seconds(300)
        return configuration
    }
}

/// A running server, and ways to talk to it.
struct TestServer: Sendable {
    let server: HTTPServer
    let port: Int

    func connect() throws -> RawClient { try RawClient(port: port) }

    /// Sends bytes over a new connection and reads one answer.
    func answer(to request: String) async throws -> RawClient.Answer {
        let client = try connect()
        try client.send(request)
        return try await client.readAnswer()
    }

    /// Sends bytes over a new connection and reads until the server closes it.
    func everything(to request: String) async throws -> String {
        let client = try connect()
        try client.send(request)
        return String(decoding: try await client.readToEnd(), as: UTF8.self)
    }

    func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        return url
    }
}

/// A condition that tests wait for, without a clock: whoever changes it says so.
actor Signal {
    private var count = 0
    private var waiters: [(Int, CheckedContinuation<Void, Never>)] = []

    func fire() {
        count += 1
        for (wanted, continuation) in waiters where wanted <= count { continuation.resume() }
        waiters.removeAll { $0.0 <= count }
    }

    var hasFired: Bool { count > 0 }

    /// Returns when it has fired so often.
    func wait(for wanted: Int = 1) async {
        if count >= wanted { return }
        await withCheckedContinuation { waiters.append((wanted, $0)) }
    }
}
