// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import FoundationEssentials
import HTTPServer
import Networking
import StructuredJSON

/// A server that answers as OpenAI's API does, or as llama.cpp, Ollama or vLLM do: from scenarios, with faults on
/// request, and without a model.
///
/// ```swift
/// let simulator = try await EchoSimulator.start(scenario: Scenario([.init(.message("Hello!"))]))
/// // … a client of simulator.baseURL, with any key …
/// await simulator.close()
/// ```
///
/// It checks requests as the API does, so that a client's mistake shows as the error that the API would answer.
public final class EchoSimulator: Sendable {
    /// The prefix of all paths: `http://127.0.0.1:PORT/v1`.
    public let baseURL: URL
    let core: SimulatorCore
    private let server: HTTPServer

    private init(baseURL: URL, core: SimulatorCore, server: HTTPServer) {
        self.baseURL = baseURL
        self.core = core
        self.server = server
    }

    /// Starts a server; ``close()`` ends it.
    ///
    /// - Throws: `HTTPServerError`, with the code `addressInUse` if the port is taken.
    public static func start(
        scenario: Scenario = Scenario(), configuration: SimulatorConfiguration = SimulatorConfiguration()
    ) async throws -> EchoSimulator {
        let core = SimulatorCore(scenario: scenario, configuration: configuration)
        var settings = HTTPServerConfiguration()
        settings.host = configuration.host
        settings.port = configuration.port
        settings.maximumBodyBytes = 32 << 20
        let server = HTTPServer(
            configuration: settings, logger: configuration.logger, handler: SimulatorRoutes(core: core).handler)
        let address = try await server.start()
        guard let url = URL(string: "http://\(address)/v1") else {
            await server.stop(grace: .zero)
            throw HTTPServerError(
                code: .addressUnavailable, message: "\(address) makes no address. Give a numeric host.")
        }
        return EchoSimulator(baseURL: url, core: core, server: server)
    }

    /// The requests so far, in the order in which their headers arrived.
    public var requests: [RecordedRequest] { core.requests.withLock { $0 } }

    /// Returns as soon as the requests so far fit a condition.
    ///
    /// - Throws: `CancellationError`.
    public func waitForRequests(_ condition: @escaping @Sendable ([RecordedRequest]) -> Bool) async throws {
        try await core.requests.wait(until: condition)
    }

    /// The scenario, with the turns that are not used up.
    public var scenario: Scenario {
        get { core.scenario }
        set { core.scenario = newValue }
    }

    /// Makes the next requests that match fail as the faults say.
    public func inject(_ faults: Scenario.Fault..., match: Scenario.Match = .init(), times: Int = 1) {
        core.insert(Scenario.Turn(match: match, times: times, faults: faults))
    }

    /// Ends the server: cuts open answers off and closes voice sessions. Returns when all connections are closed and
    /// every session has ended.
    public func close() async {
        let hasSessions = core.sessions.withLock { !$0.isEmpty }
        await server.stop(grace: hasSessions ? .milliseconds(500) : .zero)
        // The server does not wait for the task of a connection that it has cut.
        try? await core.sessions.wait { $0.isEmpty }
    }
}
