// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPServer
import StructuredJSON

/// `POST /v1/embeddings`.
struct EmbeddingsEndpoint: Sendable {
    let core: SimulatorCore

    func register(in router: inout Router, with gate: Gate) {
        router.post("/v1/embeddings", bodyLimit: 16 << 20) { request in
            try await gate.answer(request) { exchange throws(APIError) in
                let body = try await gate.json(request, exchange, shape: EmbeddingsRequestTable.shape)
                let json = try embed(body)
                return .json(json, turn: try core.turn(path: exchange.path, said: nil, body: body))
            }
        }
    }

    private func embed(_ body: JSONValue) throws(APIError) -> JSONValue {
        let model = body["model"]?.string ?? ""
        let isOwn = !core.scenario.dialect.isStrict || core.scenario.models.contains(model)
        guard let full = SimulatorModels.embeddings[model] ?? (isOwn ? 768 : nil) else { throw .unknownModel(model) }
        let dimensions = body["dimensions"]?.integer ?? full
        guard dimensions == full || model != "text-embedding-ada-002" else {
            throw .invalidValue("dimensions", "This model does not support specifying dimensions.")
        }
        guard dimensions <= full else {
            throw .invalidValue(
                "dimensions",
                "Invalid value for 'dimensions' = \(dimensions). Must be less than or equal to \(full).")
        }
        let texts = try texts(body["input"] ?? .null)
        let isBase64 = body["encoding_format"]?.string == "base64"
        let data = texts.enumerated().map { index, text -> JSONValue in
            let vector = TextVector.vector(of: text, dimensions: dimensions, full: full)
            let embedding: JSONValue =
                isBase64 ? .string(Self.base64(vector)) : .array(vector.map { .double(Double($0)) })
            return ["object": "embedding", "index": .integer(index), "embedding": embedding]
        }
        let tokens = texts.reduce(0) { $0 + TokenEstimate.tokens(in: $1) }
        return [
            "object": "list", "data": .array(data), "model": .string(model),
            "usage": ["prompt_tokens": .integer(tokens), "total_tokens": .integer(tokens)],
        ]
    }

    /// One text, several, or tokens in place of texts.
    private func texts(_ input: JSONValue) throws(APIError) -> [String] {
        let elements: [JSONValue]
        switch input {
        case .array(let values) where values.allSatisfy({ $0.integer == nil }): elements = values
        default: elements = [input]
        }
        let texts = elements.map { $0.string ?? $0.text }
        if texts.contains("") {
            throw APIError(status: 400, message: "Invalid 'input': it cannot be an empty string.", param: "input")
        }
        if let long = texts.first(where: { TokenEstimate.tokens(in: $0) > 8192 }) {
            throw APIError(
                status: 400,
                message: "This model's maximum context length is 8192 tokens, however you requested "
                    + "\(TokenEstimate.tokens(in: long)) tokens. Please reduce your prompt.")
        }
        return texts
    }

    /// Little-endian 32-bit floats.
    private static func base64(_ vector: [Float]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(vector.count * 4)
        for value in vector {
            withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return Data(bytes).base64EncodedString()
    }
}
