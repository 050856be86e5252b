// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import HTTPServer
import Networking
import StructuredJSON

@testable import Echo

/// A WebSocket server at the realtime API's address, with a script for each connection.
struct ScriptedRealtimeServer: Sendable {
    /// One connection, as the script sees it.
    struct Peer: Sendable {
        let connection: WebSocketConnection
        let request: ServerRequest
        let received: Collected<JSONValue>

        func send(_ json: JSONValue) async { try? await connection.send(json.text) }

        /// The next event of the client's; `nil` when it has gone.
        func next() async -> JSONValue? {
            guard case .text(let text)? = try? await connection.receive(), let json = try? JSONValue(parsing: text)
            else {
                return nil
            }
            received.append(json)
            return json
        }

        /// Confirms the session as OpenAI's server does.
        func confirm() async {
            await send(["type": "session.created", "event_id": "s1", "session": ["type": "realtime", "id": "sess"]])
            guard let update = await next() else { return }
            await send(["type": "conversation.created", "event_id": "s2", "conversation": ["id": "conv"]])
            await send(["type": "session.updated", "event_id": "s3", "session": update["session"] ?? .null])
        }

        /// Takes events until the client goes.
        func listen() async { while await next() != nil {} }
    }

    typealias Script = @Sendable (Peer) async -> Void

    let configuration: EchoConfiguration
    /// What clients sent.
    let received: Collected<JSONValue>
    /// What clients asked for when they connected.
    let requests: Collected<ServerRequest>

    /// A server for the time of `body`.
    static func run(
        status: Int? = nil, _ script: @escaping Script, body: (ScriptedRealtimeServer) async throws -> Void
    ) async throws {
        let received = Collected<JSONValue>()
        let requests = Collected<ServerRequest>()
        let server = HTTPServer { request in
            requests.append(request)
            if let status { throw ServerProblem(status: status, detail: "No.") }
            var socket = WebSocketConfiguration()
            socket.maximumMessageSize = 40 << 20
            return try .webSocket(for: request, configuration: socket) { connection in
                await script(Peer(connection: connection, request: request, received: received))
            }
        }
        let address = try await server.start()
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: "http://127.0.0.1:\(address.port)/v1")
        var curl = CurlTransport.Configuration()
        curl.plainHTTPHosts = ["127.0.0.1"]
        curl.proxy = .none
        configuration.transport = try CurlTransport(configuration: curl)
        do {
            try await body(
                ScriptedRealtimeServer(configuration: configuration, received: received, requests: requests))
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
    }

    func connect(
        _ session: RealtimeSessionConfiguration = RealtimeSessionConfiguration(), key: String = "sk-test-1234",
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> RealtimeClient {
        try await RealtimeClient.connect(
            APIConnection(key: key, configuration: configuration), session: session, clock: clock)
    }
}
