// SPDX-License-Identifier: MIT

import HTTPServer
import StructuredJSON

/// `POST /v1/chat/completions`.
struct ChatEndpoint: Sendable {
    let core: SimulatorCore

    func register(in router: inout Router, with gate: Gate) {
        router.post("/v1/chat/completions", bodyLimit: 16 << 20) { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let body = try await gate.json(request, exchange, shape: ChatRequestTable.shape)
                return try complete(body, exchange)
            }
        }
    }

    private func complete(_ body: JSONValue, _ exchange: Exchange) throws(APIError) -> Gate.Answer {
        let dialect = core.scenario.dialect
        let name = body["model"]?.string ?? ""
        guard let model = SimulatorModels.textModel(name, in: core.scenario), exists(name) else {
            throw dialect == .ollama
                ? APIError(status: 404, message: "model \"\(name)\" not found, try pulling it first")
                : .unknownModel(name)
        }
        if dialect.isStrict {
            try StrictSchemaRules.checkChat(body)
            try ModelRules.checkChat(body, model: model)
        }
        let prompt = try ChatPrompt.prompt(body, isStrict: dialect.isStrict)
        let turn = try core.turn(path: exchange.path, said: prompt.userTexts.last, body: body)
        let completion = completion(model, prompt, turn)
        let isStreamed = body["stream"]?.bool ?? false
        let includesUsage = body["stream_options"]?["include_usage"]?.bool ?? false
        return Gate.Answer(turn: turn) { delivery, headers in
            if case .json(let json, let status) = turn.reply {
                return try await delivery.whole(json.bytes, status: status, headers: headers)
            }
            if case .failed(let code, let message) = completion.answer.status, !isStreamed {
                let error = APIError(status: 500, message: message, type: "server_error", code: code)
                return try await delivery.whole(dialect.body(of: error).bytes, status: 500, headers: headers)
            }
            guard isStreamed else { return try await delivery.whole(completion.json.bytes, headers: headers) }
            let chunks = completion.chunks(includesUsage: includesUsage, size: turn.pace.chunk)
            return try await delivery.stream(chunks.map(Frame.init(data:)), headers: headers)
        }
    }

    /// True if the model may be used: a lenient dialect accepts any, or only the scenario's models where it lists some.
    private func exists(_ name: String) -> Bool {
        let scenario = core.scenario
        return scenario.dialect.isStrict || scenario.models.isEmpty || scenario.models.contains(name)
    }

    private func completion(_ model: String, _ prompt: Prompt, _ turn: Scenario.Turn) -> ChatCompletion {
        let answer = if case .answer(let answer) = turn.reply { answer } else { PlausibleModel.answer(prompt) }
        let dialect = core.scenario.dialect
        let (prefix, digits) = dialect.callIdentifier
        let calls = answer.items.filter { if case .functionCall = $0 { true } else { false } }
        let usage = answer.usage ?? ResponseScript.estimate(answer, prompt)
        return ChatCompletion(
            id: dialect == .ollama ? "chatcmpl-123" : core.identifier("chatcmpl-", digits: 29), model: model,
            createdAt: core.configuration.now(), dialect: dialect, answer: answer, usage: usage,
            callIDs: calls.map { _ in core.identifier(prefix, digits: digits) })
    }
}
