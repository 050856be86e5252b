// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import StructuredJSON

/// `/v1/responses/{id}`: retrieve, resume, cancel, delete.
struct StoredResponsesEndpoint: Sendable {
    let core: SimulatorCore

    func register(in router: inout Router, with gate: Gate) {
        router.get("/v1/responses/{id}") { request in
            try await gate.answer(request) { exchange throws(APIError) in try retrieve(request, exchange) }
        }
        router.delete("/v1/responses/{id}") { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let id = try stored(request).id
                let turn = try core.turn(path: exchange.path, said: nil, body: nil)
                guard core.removeStored(id) else { throw Self.notFound(id) }
                let json: JSONValue = ["id": .string(id), "object": "response", "deleted": true]
                return .json(json, turn: turn)
            }
        }
        router.post("/v1/responses/{id}/cancel") { request in
            try await gate.answer(request) { exchange throws(APIError) in try cancel(request, exchange) }
        }
        router.get("/v1/responses/{id}/input_items") { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let stored = try stored(request)
                let turn = try core.turn(path: exchange.path, said: nil, body: nil)
                return .json(inputItems(stored), turn: turn)
            }
        }
    }

    private func stored(_ request: ServerRequest) throws(APIError) -> StoredResponse {
        let id = request.parameters["id"] ?? ""
        guard core.scenario.dialect.hasResponses else { throw .noSuchPath(request) }
        guard let stored = core.stored(id) else { throw Self.notFound(id) }
        return stored
    }

    private func retrieve(_ request: ServerRequest, _ exchange: Exchange) throws(APIError) -> Gate.Answer {
        let stored = try stored(request)
        let turn = try core.turn(path: exchange.path, said: nil, body: nil)
        guard request.query["stream"] == "true" else {
            let current = core.update(stored.id) { $0.questions += 1 } ?? stored
            return .json(current.current, turn: turn)
        }
        guard stored.isBackground, stored.isStreamed else {
            throw APIError(
                status: 400,
                message: "Only responses that were created with background=true and stream=true can be "
                    + "streamed again.", param: "stream")
        }
        let after = request.query["starting_after"].flatMap { Int($0) } ?? -1
        let events = stored.events.filter { ($0["sequence_number"]?.integer ?? 0) > after }
        return Gate.Answer(turn: turn) { delivery, headers in
            try await delivery.stream(
                events.map(Frame.init(event:)), headers: headers,
                isOver: { core.stored(stored.id)?.isCancelled ?? false })
        }
    }

    private func cancel(_ request: ServerRequest, _ exchange: Exchange) throws(APIError) -> Gate.Answer {
        let id = try stored(request).id
        let turn = try core.turn(path: exchange.path, said: nil, body: nil)
        let cancelled = core.update(id) { stored in
            if stored.isBackground, stored.isStreamed || !stored.isOver { stored.isCancelled = true }
        }
        guard let cancelled else { throw Self.notFound(id) }
        guard cancelled.isBackground else {
            throw APIError(
                status: 400, message: "Cannot cancel a synchronous response.", param: "id")
        }
        return .json(cancelled.current, turn: turn)
    }

    private func inputItems(_ stored: StoredResponse) -> JSONValue {
        let count = stored.final["output"]?.array?.count ?? 0
        let items = stored.context.dropLast(count).reversed().map { item -> JSONValue in
            guard var object = item.object, object["id"] == nil else { return item }
            object["id"] = .string(core.identifier("msg_"))
            return .object(object)
        }
        return [
            "object": "list", "data": .array(Array(items)), "has_more": false,
            "first_id": items.first?["id"] ?? .null, "last_id": items.last?["id"] ?? .null,
        ]
    }

    private static func notFound(_ id: String) -> APIError {
        APIError(status: 404, message: "Response with id '\(id)' not found.")
    }
}
