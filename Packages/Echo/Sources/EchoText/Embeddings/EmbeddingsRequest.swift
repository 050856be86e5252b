// SPDX-License-Identifier: MIT

import Networking

/// One batch of texts to turn into vectors: the body of `POST /embeddings`.
package struct EmbeddingsRequest: Sendable, Hashable {
    /// The model.
    package var model: EmbeddingModel
    /// The texts; none may be empty.
    package var input: [String]
    /// The length of the vectors; `nil` for the model's own.
    package var dimensions: Int?

    /// A batch.
    package init(model: EmbeddingModel, input: [String], dimensions: Int? = nil) {
        self.model = model
        self.input = input
        self.dimensions = dimensions
    }

    /// The body. It requests base64, a quarter of the size of numbers in JSON.
    package var json: JSONValue {
        var object: JSONObject = [
            "model": .string(model.rawValue), "input": .array(input.map { .string($0) }), "encoding_format": "base64",
        ]
        object.set("dimensions", dimensions.map(JSONValue.integer))
        return .object(object)
    }
}

/// Turns text into vectors: a server, or a script in a test.
package protocol EmbeddingsService: Sendable {
    /// Sends one request, for one batch.
    ///
    /// - Throws: ``EchoError``, `CancellationError`.
    func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse
}

/// `POST /embeddings`.
struct HTTPEmbeddingsService: EmbeddingsService {
    let connection: APIConnection

    func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse {
        try connection.meter.admit()
        let json = try await connection.json(
            try connection.request(.post, "/embeddings", body: request.json), model: request.model.rawValue)
        do throws(WireError) {
            let response = try EmbeddingsResponse(json: json, count: request.input.count)
            connection.record(
                response.usage, model: json["model"]?.string ?? request.model.rawValue,
                requestedModel: request.model.rawValue)
            return response
        } catch {
            throw EchoError.malformedResponse(error.description, requestID: nil)
        }
    }
}
