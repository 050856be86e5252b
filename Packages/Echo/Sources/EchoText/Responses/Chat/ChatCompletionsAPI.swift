// SPDX-License-Identifier: MIT

import Networking

/// `/chat/completions` behind the port of the responses API, for servers without `/responses`: llama.cpp, Ollama, vLLM.
///
/// The server keeps nothing: every request has to contain the whole history.
struct ChatCompletionsAPI: ResponsesService {
    let connection: APIConnection

    var keepsResponses: Bool { false }

    func create(_ request: ResponsesRequest) async throws -> Response {
        let body = try request.chatJSON(stream: false)
        let json = try await connection.json(
            try connection.request(.post, "/chat/completions", body: body), model: request.model.rawValue)
        var machine = ChatStreamStateMachine(request: request, identifier: connection.identifier)
        var events: [ResponseStreamEvent] = []
        do throws(WireError) {
            try machine.receive(whole: json, into: &events)
        } catch {
            throw EchoError.malformedResponse(error.description, requestID: nil)
        }
        machine.ended(into: &events)
        var assembly = ResponseAssembly()
        for event in events { assembly.apply(event) }
        let response = assembly.response
        connection.record(
            response.usage, model: response.model, requestedModel: request.model.rawValue)
        return response
    }

    func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
        let body = try request.chatJSON(stream: true)
        let post = connection.streaming(try connection.request(.post, "/chat/completions", body: body))
        return ResponseStream(
            source: ResponseEventSource(
                response: try await connection.open(post, model: request.model.rawValue), connection: connection,
                requestedModel: request.model.rawValue,
                dialect: ChatDialect(
                    machine: ChatStreamStateMachine(request: request, identifier: connection.identifier)),
                machine: ResponseStreamStateMachine(maximumResumptions: 0)))
    }

    func resume(_ responseID: String, after sequenceNumber: Int?) async throws -> ResponseStream { throw unsupported }

    func retrieve(_ responseID: String) async throws -> Response { throw unsupported }

    func cancel(_ responseID: String) async throws -> Response { throw unsupported }

    func delete(_ responseID: String) async throws { throw unsupported }

    private var unsupported: EchoError {
        .unsupported("an endpoint with /chat/completions only keeps no answers. Keep them yourself.")
    }
}

/// The chat API's streams.
struct ChatDialect: StreamDialect {
    var machine: ChatStreamStateMachine

    mutating func decode(_ event: ServerSentEvent, into events: inout [ResponseStreamEvent]) throws {
        guard event.data != "[DONE]" else { return machine.ended(into: &events) }
        try machine.receive(try JSONValue(parsing: event.data), into: &events)
    }

    mutating func decode(whole json: JSONValue, into events: inout [ResponseStreamEvent]) throws {
        try machine.receive(whole: json, into: &events)
        machine.ended(into: &events)
    }

    mutating func end(into events: inout [ResponseStreamEvent]) {
        // Without [DONE] it is an end only if the server gave the reason why the model stopped.
        if machine.hasReason { machine.ended(into: &events) }
    }
}
