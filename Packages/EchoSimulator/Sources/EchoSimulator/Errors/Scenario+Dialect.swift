// SPDX-License-Identifier: MIT

import StructuredJSON

extension Scenario {
    /// The server that is simulated. All speak `/chat/completions`, with differences.
    public enum Dialect: String, Sendable, CaseIterable {
        /// OpenAI: keys, strict requests, all endpoints.
        case openAI = "openai"
        /// llama.cpp's `llama-server`: errors with numbers as codes, `timings` in the last chunk.
        case llamaCpp = "llama.cpp"
        /// Ollama: the role in every chunk, calls of tools in one piece.
        case ollama
        /// vLLM: errors without the `error` around them, `reasoning_content`, `stop_reason`.
        case vLLM = "vllm"

        /// True if requests are checked as strictly as OpenAI does: keys, unknown fields and models.
        var isStrict: Bool { self == .openAI }

        /// True if the server has `/v1/responses`.
        var hasResponses: Bool { self == .openAI }

        func body(of error: APIError) -> JSONValue {
            switch self {
            case .openAI: error.json
            case .llamaCpp:
                [
                    "error": [
                        "code": .integer(error.status), "message": .string(error.message), "type": .string(error.type),
                    ]
                ]
            case .ollama:
                ["error": ["message": .string(error.message), "type": "api_error", "param": nil, "code": nil]]
            case .vLLM:
                [
                    "object": "error", "message": .string(error.message), "type": "BadRequestError", "param": nil,
                    "code": .integer(error.status),
                ]
            }
        }
    }
}
