// SPDX-License-Identifier: MIT

package import Networking

/// Asks models for text: over `/responses`, or over `/chat/completions` if the endpoint says so.
///
/// One client serves any number of tasks at once. Models, limits and the budget are checked before anything is sent.
/// Requests are tried again by the configuration's retry policy, with `Retry-After` and an `Idempotency-Key`. A stream
/// that has begun is not tried again, but a background answer's stream is resumed after its last event.
package struct ResponsesClient: ResponsesService {
    private let connection: APIConnection
    private let service: any ResponsesService

    /// A client.
    ///
    /// - Parameters:
    ///   - key: The API key; empty for a server without keys.
    ///   - configuration: The server, the defaults and the limits.
    ///   - clock: Measures the waits.
    ///   - random: The source of the waits' jitter and of the idempotency keys.
    package init(
        key: String, configuration: EchoConfiguration = .default, clock: ClientClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.init(APIConnection(key: key, configuration: configuration, clock: clock, random: random))
    }

    /// A client over a shared connection.
    init(_ connection: APIConnection) {
        self.connection = connection
        service =
            switch connection.configuration.endpoint.textAPI {
            case .responses: ResponsesAPI(connection: connection)
            case .chatCompletions: ChatCompletionsAPI(connection: connection)
            }
    }

    /// The tokens and the cost so far, and the budget.
    package var meter: UsageMeter { connection.meter }

    /// The server's last word on its rate limits.
    package var rateLimits: RateLimitStatus? { connection.rateLimits }

    /// True if the server keeps answers.
    package var keepsResponses: Bool { service.keepsResponses && connection.configuration.keepsResponses }

    /// Sends the request, and waits for the whole answer.
    package func create(_ request: ResponsesRequest) async throws -> Response {
        try await service.create(try prepare(request))
    }

    /// Sends the request, and returns when the answer begins.
    package func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
        try await service.stream(try prepare(request))
    }

    /// The events of a background answer after that number.
    package func resume(_ responseID: String, after sequenceNumber: Int? = nil) async throws -> ResponseStream {
        try await service.resume(try check(id: responseID), after: sequenceNumber)
    }

    /// The answer in its present state.
    package func retrieve(_ responseID: String) async throws -> Response {
        try await service.retrieve(try check(id: responseID))
    }

    /// Cancels a background answer.
    package func cancel(_ responseID: String) async throws -> Response {
        try await service.cancel(try check(id: responseID))
    }

    /// Deletes an answer at the server.
    package func delete(_ responseID: String) async throws {
        try await service.delete(try check(id: responseID))
    }

    /// The request with the configuration's defaults, after all checks.
    private func prepare(_ request: ResponsesRequest) throws(EchoError) -> ResponsesRequest {
        let configuration = connection.configuration
        var request = request
        try configuration.endpoint.validate(request.model)
        let limit = request.model.maximumOutputTokens
        request.maximumOutputTokens = request.maximumOutputTokens ?? configuration.maximumOutputTokens ?? limit
        if let asked = request.maximumOutputTokens, asked < 1 || asked > limit ?? .max {
            throw .invalidConfiguration(
                "maximumOutputTokens is \(asked); \(request.model) takes 1 to \(limit.map(String.init) ?? "its own limit")."
            )
        }
        if request.input.contains(where: \.hasImage) {
            try configuration.endpoint.validateImages(
                for: request.model.rawValue, areAccepted: request.model.acceptsImages)
        }
        if request.background == true, request.store == false {
            throw .invalidConfiguration("A background answer has to be kept: leave store alone, or set it.")
        }
        if !configuration.keepsResponses, request.background != true { request.store = request.store ?? false }
        request.reasoning = request.reasoning ?? configuration.reasoning
        try connection.meter.admit()
        return request
    }

    /// Ids become part of the path, so they have to be valid.
    private func check(id: String) throws(EchoError) -> String {
        guard !id.isEmpty, id.utf8.allSatisfy({ Self.isAllowed($0) }) else {
            throw .invalidConfiguration("\"\(id.prefix(64))\" is no response's id. Take Response.id.")
        }
        return id
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
