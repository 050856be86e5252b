// SPDX-License-Identifier: MIT

import Diagnostics
import Echo
import HTTPServer
import Networking

/// A real server on a port of its own, which answers as a test tells it and keeps what it was asked.
final class ResponsesServer: Sendable {
    /// A request as it came.
    struct Asked: Sendable {
        let method: HTTPMethod
        let path: String
        let query: [String: String]
        let headers: HTTPHeaders
        let body: JSONValue
    }

    typealias Answer = @Sendable (Asked) async throws -> ServerResponse

    let port: Int
    private let server: HTTPServer
    private let log: Collected<Asked>

    /// Starts it. `answer` is told the request and its number, from zero on.
    init(_ answer: @escaping @Sendable (Asked, Int) async throws -> ServerResponse) async throws {
        let log = Collected<Asked>()
        self.log = log
        server = HTTPServer { request in
            let bytes = try await request.body.collect()
            var query: [String: String] = [:]
            for item in ["stream", "starting_after"] { query[item] = request.query[item] }
            let asked = Asked(
                method: request.method, path: "/" + request.path.joined(separator: "/"), query: query,
                headers: request.headers, body: (try? JSONValue(parsing: bytes)) ?? .null)
            let number = log.values.count
            log.append(asked)
            return try await answer(asked, number)
        }
        port = Int(try await server.start().port)
    }

    /// Everything that was asked so far.
    var requests: [Asked] { log.values }

    /// Everything that was asked, as soon as it is so much.
    func requests(_ count: Int) async throws -> [Asked] { try await log.first(count) }

    func stop() async { await server.stop(grace: .zero) }

    /// The configuration of a client that asks it, or a proxy before it.
    func configuration(port: Int? = nil, _ change: (inout EchoConfiguration) -> Void = { _ in }) -> EchoConfiguration {
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: "http://127.0.0.1:\(port ?? self.port)/v1")
        configuration.retry?.baseDelay = .milliseconds(1)
        change(&configuration)
        return configuration
    }

    /// A JSON answer.
    static func json(_ json: JSONValue, status: Int = 200, headers: HTTPHeaders = [:]) -> ServerResponse {
        var headers = headers
        headers["Content-Type"] = "application/json"
        return ServerResponse(status: status, headers: headers, body: .bytes(json.bytes))
    }

    /// These events, and the end.
    static func events(_ events: [JSONValue], end: String = "") -> ServerResponse {
        ServerResponse(
            headers: ["Content-Type": "text/event-stream"],
            body: .bytes(Array((events.map { "data: \($0.text)\n\n" }.joined() + end).utf8)))
    }
}

/// Answers of the responses API.
enum Sample {
    static func response(_ text: String, id: String = "resp_1", status: String = "completed") -> JSONValue {
        [
            "id": .string(id), "object": "response", "created_at": 1_730_000_000, "model": "gpt-5-2025-08-07",
            "status": .string(status),
            "output": [
                [
                    "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
                    "content": [["type": "output_text", "text": .string(text), "annotations": []]],
                ]
            ],
            "usage": [
                "input_tokens": 1000, "input_tokens_details": ["cached_tokens": 400], "output_tokens": 200,
                "output_tokens_details": ["reasoning_tokens": 150], "total_tokens": 1200,
            ],
        ]
    }

    /// A whole stream: created, one delta for each text, completed.
    static func stream(_ texts: [String], id: String = "resp_1") -> [JSONValue] {
        var events: [JSONValue] = [
            [
                "type": "response.created",
                "response": [
                    "id": .string(id), "model": "gpt-5-2025-08-07", "status": "in_progress", "output": [],
                ],
            ]
        ]
        events += texts.map { text in
            [
                "type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
                "delta": .string(text), "logprobs": [],
            ]
        }
        events.append(["type": "response.completed", "response": response(texts.joined(), id: id)])
        return events.enumerated().map { number, event in
            var object = event.object ?? [:]
            object["sequence_number"] = .integer(number)
            return .object(object)
        }
    }
}
