// SPDX-License-Identifier: MIT

import Diagnostics
import Echo

/// A server of which nobody said what it speaks: asked over `/responses` first, and over `/chat/completions` for good when it
/// says that it has no such thing.
final class AutomaticService: ResponsesService {
    private let first: ResponsesClient
    private let second: ResponsesClient
    private let isSecond = Guarded(false)

    init(responses: ResponsesClient, chat: ResponsesClient) {
        first = responses
        second = chat
    }

    /// The one that is spoken to.
    var client: ResponsesClient { isSecond.withLock { $0 } ? second : first }

    var keepsResponses: Bool { client.keepsResponses }

    func create(_ request: ResponsesRequest) async throws -> Response {
        try await trying { try await $0.create(request) }
    }

    func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
        try await trying { try await $0.stream(request) }
    }

    func resume(_ responseID: String, after sequenceNumber: Int?) async throws -> ResponseStream {
        try await client.resume(responseID, after: sequenceNumber)
    }

    func retrieve(_ responseID: String) async throws -> Response { try await client.retrieve(responseID) }
    func cancel(_ responseID: String) async throws -> Response { try await client.cancel(responseID) }
    func delete(_ responseID: String) async throws { try await client.delete(responseID) }

    private func trying<Value>(_ body: (ResponsesClient) async throws -> Value) async throws -> Value {
        let used = client
        do {
            return try await body(used)
        } catch let error as EchoError where !isSecond.withLock({ $0 }) && Self.saysThereIsNone(error) {
            isSecond.withLock { $0 = true }
            return try await body(second)
        }
    }

    private static func saysThereIsNone(_ error: EchoError) -> Bool {
        switch error {
        case .notFound, .unsupported: true
        case .apiError(let failure): failure.status == 405 || failure.status == 501
        default: false
        }
    }
}
