// SPDX-License-Identifier: MIT

import Concurrency
import DataLayer
import Diagnostics
import Domain
import Foundation
import Networking
import NetworkingTestSupport
import PracticeWire

/// A server that answers by method and path.
final class ScriptedServer: Sendable {
    typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private let routes = Guarded<[String: [Answer]]>([:])
    private let asked = Guarded<[HTTPRequest]>([])

    /// Adds an answer to "GET /cues"; the last one of a route stays.
    func on(_ route: String, _ answer: @escaping Answer) {
        routes.withLock { $0[route, default: []].append(answer) }
    }

    func on(_ route: String, json value: some Encodable & Sendable) throws {
        let bytes = try WireJSON.encode(value)
        on(route) { HTTPResponse(status: 200, url: $0.url, body: HTTPResponseBody(bytes)) }
    }

    func on(_ route: String, status: Int, _ headers: HTTPHeaders = [:], text: String = "") {
        on(route) {
            HTTPResponse(status: status, headers: headers, url: $0.url, body: HTTPResponseBody(Array(text.utf8)))
        }
    }

    /// Each request, as "GET /cues?limit=50".
    var requests: [String] {
        asked.withLock { $0 }.map { request in
            "\(request.method) \(request.url.path())" + (request.url.query().map { "?" + $0 } ?? "")
        }
    }

    var last: HTTPRequest? { asked.withLock(\.last) }

    func practice(_ path: String = "") -> PracticeServer {
        let transport = ScriptedTransport { [self] request in
            asked.withLock { $0.append(request) }
            let route = "\(request.method) \(request.url.path())"
            let answer = routes.withLock { routes -> Answer? in
                guard let answers = routes[route], let first = answers.first else { return nil }
                if answers.count > 1 { routes[route]?.removeFirst() }
                return first
            }
            guard let answer else { return HTTPResponse(status: 404, url: request.url) }
            return try await answer(request)
        }
        return PracticeServer(
            address: URL(string: "https://server.example" + path) ?? URL(filePath: "/"), client: transport)
    }
}
