// SPDX-License-Identifier: MIT

import HTTPServer
import Networking
import StructuredJSON

/// `POST /v1/responses`.
struct ResponsesEndpoint: Sendable {
    let core: SimulatorCore

    func register(in router: inout Router, with gate: Gate) {
        router.post("/v1/responses", bodyLimit: 16 << 20) { request in
            try await gate.answer(request) { exchange throws(APIError) in try await create(request, exchange, gate) }
        }
        StoredResponsesEndpoint(core: core).register(in: &router, with: gate)
    }

    private func create(_ request: ServerRequest, _ exchange: Exchange, _ gate: Gate) async throws(APIError)
        -> Gate.Answer
    {
        guard core.scenario.dialect.hasResponses else { throw .noSuchPath(request) }
        let body = try await gate.json(request, exchange, shape: ResponsesRequestTable.shape)
        try StrictSchemaRules.checkResponses(body)
        let name = body["model"]?.string ?? ""
        guard let model = SimulatorModels.textModel(name, in: core.scenario) else { throw .unknownModel(name) }
        try ModelRules.checkResponses(body, model: model)
        if body["background"]?.bool == true, body["store"]?.bool == false {
            throw .invalidValue("store", "Background responses must be stored: 'store' cannot be false.")
        }
        let previous = try previousResponse(body)
        let context = previous?.context ?? []
        let asked = try ResponsesPrompt(body, context: context, cached: Self.cached(previous))
        let turn = try core.turn(path: exchange.path, said: asked.prompt.userTexts.last, body: body)
        let object = ResponseObject(
            id: core.identifier("resp_"), model: model, createdAt: core.configuration.now(), request: body)
        let script = script(object, turn, asked.prompt)
        let isStreamed = body["stream"]?.bool ?? false
        let isBackground = body["background"]?.bool ?? false
        let stored = StoredResponse(
            id: object.id, final: script.final, events: script.events,
            context: asked.items + (script.final["output"]?.array ?? []), isBackground: isBackground,
            isStreamed: isStreamed)
        if body["store"]?.bool ?? true { core.store(stored) }
        return Gate.Answer(turn: turn) { delivery, headers in
            if case .json(let json, let status) = turn.reply {
                return try await delivery.whole(json.bytes, status: status, headers: headers)
            }
            guard isStreamed else { return try await delivery.whole(stored.current.bytes, headers: headers) }
            return try await delivery.stream(
                script.events.map(Frame.init(event:)), headers: headers,
                isOver: { core.stored(object.id)?.isCancelled ?? false })
        }
    }

    private func script(_ object: ResponseObject, _ turn: Scenario.Turn, _ prompt: Prompt) -> ResponseScript {
        let items = ResponseItems(core: core, chunk: turn.pace.chunk)
        switch turn.reply {
        case .answer(let answer): return ResponseScript(object, answer, prompt: prompt, items: items)
        case .events(let events): return ResponseScript(object, events: events)
        case .plausible, .json, .transcript:
            return ResponseScript(object, PlausibleModel.answer(prompt), prompt: prompt, items: items)
        }
    }

    private func previousResponse(_ body: JSONValue) throws(APIError) -> StoredResponse? {
        guard let id = body["previous_response_id"]?.string else { return nil }
        if let stored = core.stored(id) { return stored }
        throw .invalidValue(
            "previous_response_id", "Previous response with id '\(id)' not found.", code: "previous_response_not_found")
    }

    /// The API keeps prefixes of 1,024 tokens and more, in steps of 128.
    private static func cached(_ previous: StoredResponse?) -> Int {
        let tokens = previous?.final["usage"]?["input_tokens"]?.integer ?? 0
        return tokens < 1024 ? 0 : tokens / 128 * 128
    }
}
