// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import Networking
import StructuredJSON

/// A plain client of a voice session: JSON in, JSON out.
struct PlainRealtimeClient: Sendable {
    let connection: WebSocketConnection
    private let transport: CurlTransport

    init(_ simulator: EchoSimulator, query: String = "?model=gpt-realtime", key: String? = "test") async throws {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        transport = try CurlTransport(configuration: configuration)
        let address = simulator.baseURL.absoluteString.replacingOccurrences(of: "http:", with: "ws:") + "/realtime"
        guard let url = URL(string: address + query) else { throw URLError(.badURL) }
        let headers: HTTPHeaders = key.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        connection = try await WebSocketConnection.open(WebSocketRequest(url, headers: headers), over: transport)
    }

    func send(_ event: JSONValue) async throws { try await connection.send(event.text) }

    /// The events up to the first of that type, or up to the end.
    func until(_ type: String) async throws -> [JSONValue] {
        var events: [JSONValue] = []
        while events.last?["type"]?.string != type, let message = try await connection.receive() {
            guard case .text(let text) = message else { continue }
            events.append(try JSONValue(parsing: text))
        }
        return events
    }
}
