// SPDX-License-Identifier: MIT

import Networking

/// `/responses` itself. The caller has checked the arguments.
struct ResponsesAPI: ResponsesService {
    let connection: APIConnection

    var keepsResponses: Bool { true }

    func create(_ request: ResponsesRequest) async throws -> Response {
        let answer = try await connection.json(
            try connection.request(.post, "/responses", body: request.json()), model: request.model.rawValue)
        let response = try read(answer)
        if response.status.isFinal { record(response, request.model) }
        if response.status == .failed { throw ResponseStreamStateMachine.error(of: response) }
        return response
    }

    func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
        let post = connection.streaming(try connection.request(.post, "/responses", body: request.json(stream: true)))
        return ResponseStream(
            source: ResponseEventSource(
                response: try await connection.open(post, model: request.model.rawValue), connection: connection,
                requestedModel: request.model.rawValue, dialect: ResponsesDialect(),
                machine: ResponseStreamStateMachine(maximumResumptions: connection.configuration.maximumResumptions),
                background: request.background == true ? background : nil))
    }

    func resume(_ responseID: String, after sequenceNumber: Int?) async throws -> ResponseStream {
        ResponseStream(
            source: ResponseEventSource(
                response: try await reopen(responseID, after: sequenceNumber), connection: connection,
                requestedModel: nil, dialect: ResponsesDialect(),
                machine: ResponseStreamStateMachine(
                    maximumResumptions: connection.configuration.maximumResumptions, responseID: responseID,
                    after: sequenceNumber),
                background: background))
    }

    func retrieve(_ responseID: String) async throws -> Response {
        let response = try read(try await connection.json(try connection.request(.get, "/responses/\(responseID)")))
        if response.status.isFinal { record(response, nil) }
        return response
    }

    func cancel(_ responseID: String) async throws -> Response {
        try read(try await connection.json(try connection.request(.post, "/responses/\(responseID)/cancel")))
    }

    func delete(_ responseID: String) async throws {
        _ = try await connection.open(try connection.request(.delete, "/responses/\(responseID)"))
    }

    private var background: ResponseEventSource.Background {
        ResponseEventSource.Background(
            reopen: { try await reopen($0, after: $1) },
            cancel: { id in
                var request = try connection.request(.post, "/responses/\(id)/cancel")
                request.timeouts = HTTPTimeouts(whole: .seconds(5))
                request.options.isRepeatable = false
                _ = try await connection.open(request)
            })
    }

    /// Opens the rest of a background answer's stream.
    private func reopen(_ responseID: String, after sequenceNumber: Int?) async throws -> HTTPResponse {
        let query = "stream=true" + (sequenceNumber.map { "&starting_after=\($0)" } ?? "")
        return try await connection.open(
            connection.streaming(try connection.request(.get, "/responses/\(responseID)", query: query)))
    }

    private func record(_ response: Response, _ requested: ResponsesModel?) {
        connection.record(
            response.usage, model: response.model, requestedModel: requested?.rawValue, id: response.id)
    }

    private func read(_ json: JSONValue) throws(EchoError) -> Response {
        do throws(WireError) {
            return connection.redact(try Response(json: json))
        } catch {
            throw .malformedResponse(error.description, requestID: nil)
        }
    }
}
