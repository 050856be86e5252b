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

/// The models that exist, and their abilities.
enum SimulatorModels {
    /// Aliases and the dated names that answers have for them.
    static let responses = [
        "gpt-5": "gpt-5-2025-08-07", "gpt-5-mini": "gpt-5-mini-2025-08-07", "gpt-5-nano": "gpt-5-nano-2025-08-07",
    ]
    /// The size of vectors.
    static let embeddings = [
        "text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536,
    ]
    static let transcriptions: Set<String> = ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"]
    static let realtime: Set<String> = ["gpt-realtime", "gpt-realtime-mini"]

    static var all: [String] {
        (Array(responses.keys) + Array(responses.values) + Array(embeddings.keys) + Array(transcriptions)
            + Array(realtime)).sorted()
    }

    /// The name of the model in a text answer; `nil` for a model that does not exist or makes no text.
    static func textModel(_ name: String, in scenario: Scenario) -> String? {
        if !scenario.dialect.isStrict || scenario.models.contains(name) { return name }
        return responses[name] ?? (responses.values.contains(name) ? name : nil)
    }
}
