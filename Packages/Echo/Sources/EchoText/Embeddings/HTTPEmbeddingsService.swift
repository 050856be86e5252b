// SPDX-License-Identifier: MIT

import Networking

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
