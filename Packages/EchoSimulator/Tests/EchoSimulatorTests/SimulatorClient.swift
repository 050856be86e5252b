// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import Networking
import StructuredJSON

/// A plain client of a simulator: JSON in, JSON or events out.
struct SimulatorClient: Sendable {
    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]

        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

        /// The data of each event.
        var events: [JSONValue] {
            String(decoding: body, as: UTF8.self).components(separatedBy: "\n\n").compactMap { block in
                guard let line = block.split(separator: "\n").first(where: { $0.hasPrefix("data: ") }) else {
                    return nil
                }
                return try? JSONValue(parsing: String(line.dropFirst("data: ".count)))
            }
        }

        var types: [String] { events.map { $0["type"]?.string ?? "" } }
    }

    let baseURL: URL
    var key: String? = "test"
    private let transport: CurlTransport

    init(_ simulator: EchoSimulator, key: String? = "test") throws {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        transport = try CurlTransport(configuration: configuration)
        baseURL = simulator.baseURL
        self.key = key
    }

    func send(_ method: HTTPMethod = .post, _ path: String, _ json: JSONValue? = nil) async throws -> Answer {
        guard let url = URL(string: baseURL.absoluteString + path) else { throw URLError(.badURL) }
        var request = HTTPRequest(method, url)
        if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(json.bytes)
        }
        let response = try await transport.send(request)
        var body: [UInt8] = []
        for try await chunk in response.body { body += chunk }
        return Answer(status: response.status, headers: response.headers, body: body)
    }

    /// `POST /responses`.
    func respond(_ json: JSONValue) async throws -> Answer { try await send(.post, "/responses", json) }
}

/// Runs a test with a simulator, and ends it.
@discardableResult
func withSimulator<Result>(
    _ scenario: Scenario = Scenario(), _ configuration: SimulatorConfiguration = SimulatorConfiguration(),
    isolation: isolated (any Actor)? = #isolation, _ body: (EchoSimulator, SimulatorClient) async throws -> Result
) async throws -> Result {
    let simulator = try await EchoSimulator.start(scenario: scenario, configuration: configuration)
    let result: Result
    do { result = try await body(simulator, try SimulatorClient(simulator)) } catch {
        await simulator.close()
        throw error
    }
    await simulator.close()
    return result
}
