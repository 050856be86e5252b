// SPDX-License-Identifier: MIT

import HTTPServer
import StructuredJSON

/// `GET /v1/models`, all of them or one.
struct ModelsEndpoint: Sendable {
    let core: SimulatorCore

    func register(in router: inout Router, with gate: Gate) {
        router.get("/v1/models") { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let list: JSONValue = ["object": "list", "data": .array(names.map(model))]
                return .json(list, turn: try core.turn(path: exchange.path, said: nil, body: nil))
            }
        }
        router.get("/v1/models/{id...}") { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let name = request.parameters["id"] ?? ""
                guard names.contains(name) else { throw .unknownModel(name) }
                return .json(model(name), turn: try core.turn(path: exchange.path, said: nil, body: nil))
            }
        }
    }

    private var names: [String] {
        let scenario = core.scenario
        return scenario.dialect.isStrict || scenario.models.isEmpty
            ? SimulatorModels.all + scenario.models : scenario.models
    }

    private func model(_ name: String) -> JSONValue {
        let owner: JSONValue =
            switch core.scenario.dialect {
            case .openAI: "openai"
            case .llamaCpp: "llamacpp"
            case .ollama: "library"
            case .vLLM: "vllm"
            }
        return ["id": .string(name), "object": "model", "created": 1_754_000_000, "owned_by": owner]
    }
}
