// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPServer
import Networking
import StructuredJSON

/// The checks that every request passes: the log, the key, the body, the turn's faults.
struct Gate: Sendable {
    /// An endpoint's decision, before it is sent.
    struct Answer: Sendable {
        let turn: Scenario.Turn
        let send: @Sendable (Delivery, HTTPHeaders) async throws -> ServerResponse

        init(
            turn: Scenario.Turn, send: @escaping @Sendable (Delivery, HTTPHeaders) async throws -> ServerResponse
        ) {
            self.turn = turn
            self.send = send
        }

        /// A body of JSON, or the turn's body in its place.
        static func json(_ json: JSONValue, turn: Scenario.Turn) -> Answer {
            Answer(turn: turn) { delivery, headers in
                if case .json(let json, let status) = turn.reply {
                    return try await delivery.whole(json.bytes, status: status, headers: headers)
                }
                return try await delivery.whole(json.bytes, headers: headers)
            }
        }
    }

    let core: SimulatorCore

    /// Runs an endpoint's decision between the checks and the delivery.
    func answer(
        _ request: ServerRequest, _ decide: @Sendable (Exchange) async throws(APIError) -> Answer
    ) async throws -> ServerResponse {
        let exchange = Exchange(request, log: core.requests)
        do {
            try checkKey(request)
            let answer = try await decide(exchange)
            if let fault = statusFault(answer.turn) { throw fault }
            let delivery = Delivery(
                exchange: exchange, pace: answer.turn.pace, faults: answer.turn.faults,
                clock: core.configuration.clock)
            return try await answer.send(delivery, headers(for: answer.turn))
        } catch let error as APIError {
            exchange.note(status: error.status)
            exchange.note(outcome: .answered)
            return error.response(in: core.scenario.dialect)
        }
    }

    /// The body as JSON of this shape.
    func json(_ request: ServerRequest, _ exchange: Exchange, shape: Shape) async throws(APIError) -> JSONValue {
        let bytes = try await bytes(request)
        let json = try? JSONValue(parsing: bytes)
        exchange.note(json: json, size: bytes.count)
        guard let json, case .object = json else { throw APIError.notJSON }
        let line: JSONValue = ["method": .string("\(request.method)"), "path": .string(exchange.path), "body": json]
        core.configuration.onRequest?(line.text)
        try RequestValidator(forbidsUnknown: core.scenario.dialect.isStrict).check(json, shape)
        return json
    }

    func bytes(_ request: ServerRequest) async throws(APIError) -> [UInt8] {
        do { return try await request.body.collect() } catch {
            throw APIError(status: 413, message: "The body is too large, or did not arrive: \(error).")
        }
    }

    private func checkKey(_ request: ServerRequest) throws(APIError) {
        let header = request.headers["Authorization"] ?? ""
        let key = header.lowercased().hasPrefix("bearer ") ? header.dropFirst("bearer ".count) : ""
        if let right = core.configuration.key {
            guard !key.isEmpty else { throw APIError.missingKey }
            guard key == right else { throw APIError.wrongKey }
        } else if core.scenario.dialect.isStrict, key.isEmpty {
            throw APIError.missingKey
        }
    }

    private func statusFault(_ turn: Scenario.Turn) -> APIError? {
        for case .status(let status, let retry, let body) in turn.faults {
            var error = APIError.fault(status)
            error.headers = retry.map { RetryHeaders.headers(for: $0, now: core.configuration.now()) } ?? [:]
            error.body = body
            return error
        }
        return nil
    }

    private func headers(for turn: Scenario.Turn) -> HTTPHeaders {
        guard core.scenario.dialect.isStrict else { return [:] }
        return [
            "openai-version": "2020-10-01", "openai-processing-ms": "12", "x-ratelimit-limit-requests": "10000",
            "x-ratelimit-remaining-requests": "9999", "x-ratelimit-reset-requests": "6ms",
            "x-ratelimit-limit-tokens": "2000000", "x-ratelimit-remaining-tokens": "1999000",
            "x-ratelimit-reset-tokens": "30ms",
        ]
    }
}
