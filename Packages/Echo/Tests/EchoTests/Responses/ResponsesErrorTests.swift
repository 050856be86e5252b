// SPDX-License-Identifier: MIT

import Echo
import FoundationEssentials
import HTTPServer
import Networking
import TestKit
import Testing

@Suite struct ResponsesErrorTests {
    private static let request = ResponsesRequest(model: .gpt5, text: "Hi")

    private static func failure(_ code: String, _ message: String = "words", type: String = "some_error") -> JSONValue {
        ["error": ["message": .string(message), "type": .string(type), "param": "input", "code": .string(code)]]
    }

    /// What a client throws at that status and body, and how often it asked.
    private func thrown(
        _ status: Int, _ body: JSONValue?, headers: HTTPHeaders = [:], key: String = "sk-secret-123456"
    ) async throws -> (EchoError?, Int) {
        let server = try await ResponsesServer { _, _ in
            guard let body else {
                return ServerResponse(status: status, headers: headers, body: .bytes(Array("<html>".utf8)))
            }
            return ResponsesServer.json(body, status: status, headers: headers)
        }
        // This server takes its requests' ids from the client.
        let configuration = server.configuration { $0.endpoint.headers = ["X-Request-Id": "req_0123456789"] }
        let client = ResponsesClient(key: key, configuration: configuration)
        let error = await #expect(throws: EchoError.self) { try await client.create(Self.request) }
        let count = server.requests.count
        await server.stop()
        return (error, count)
    }

    @Test func statusesAreToldApart() async throws {
        guard
            case (.unauthorized(let failure)?, 1) = try await thrown(401, Self.failure("invalid_api_key"))
        else {
            Issue.record("401")
            return
        }
        #expect(
            failure
                == APIFailure(
                    status: 401, type: "some_error", code: "invalid_api_key", parameter: "input", message: "words",
                    requestID: "req_0123456789"))
        guard case (.unauthorized?, 1) = try await thrown(403, Self.failure("forbidden")),
            case (.notFound?, 1) = try await thrown(404, Self.failure("model_not_found")),
            case (.contextTooLong?, 1) = try await thrown(400, Self.failure("context_length_exceeded")),
            case (.contextTooLong?, 1) = try await thrown(
                400, ["object": "error", "message": "This model's maximum context length is 4096 tokens."]),
            case (.apiError(let bad)?, 1) = try await thrown(400, Self.failure("invalid_value")),
            case (.apiError(let broken)?, 3) = try await thrown(500, nil),
            case (.apiError(let busy)?, 3) = try await thrown(503, ["error": "overloaded"]),
            case (.rateLimitExceeded?, 3) = try await thrown(429, Self.failure("rate_limit_exceeded")),
            case (.apiError(let moved)?, 1) = try await thrown(302, nil, headers: ["Location": "https://example.org/"])
        else {
            Issue.record("another error")
            return
        }
        #expect(bad.parameter == "input")
        #expect(broken.message.contains("500"))
        #expect(broken.requestID == "req_0123456789")
        #expect(busy.message == "overloaded")
        #expect(moved.status == 302)
    }

    @Test func noCreditIsNotTriedAgain() async throws {
        for body in [Self.failure("insufficient_quota"), Self.failure("x", type: "insufficient_quota")] {
            guard case (.quotaExceeded(let failure)?, 1) = try await thrown(429, body) else {
                Issue.record("another error")
                return
            }
            #expect(failure.status == 429)
        }
    }

    /// The wait is the one that the server asks for, in each form in which it can ask.
    @Test func retryAfterIsKeptInEachForm() async throws {
        let forms: [(HTTPHeaders, Duration)] = [
            (["Retry-After": "7"], .seconds(7)), (["retry-after-ms": "7000"], .seconds(7)),
            (["Retry-After": "1", "retry-after-ms": "7000"], .seconds(7)),
        ]
        for (headers, wait) in forms {
            let server = try await ResponsesServer { _, number in
                number == 0
                    ? ResponsesServer.json(Self.failure("rate_limit_exceeded"), status: 429, headers: headers)
                    : ResponsesServer.json(Sample.response("At last"))
            }
            let clock = ManualClock()
            let client = ResponsesClient(
                key: "k", configuration: server.configuration(), clock: ClientClock(clock),
                random: SeededGenerator(seed: 1))
            async let response = client.create(Self.request)
            await clock.waitForSleepers()
            clock.advance(by: wait - .milliseconds(1))
            #expect(server.requests.count == 1, "\(headers)")
            clock.advance(by: .milliseconds(1))
            #expect(try await response.outputText == "At last")
            let keys = server.requests.map { $0.headers["Idempotency-Key"] }
            #expect(keys[0] != nil)
            #expect(keys[0] == keys[1])
            await server.stop()
        }
    }

    @Test func aWaitThatIsTooLongIsToldInsteadOfWaitedFor() async throws {
        let server = try await ResponsesServer { _, _ in
            ResponsesServer.json(
                Self.failure("rate_limit_exceeded"), status: 429,
                headers: [
                    "Retry-After": "3600", "x-ratelimit-remaining-requests": "0", "x-ratelimit-limit-tokens": "500",
                ])
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let error = await #expect(throws: EchoError.self) { try await client.create(Self.request) }
        guard case .rateLimitExceeded? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.count == 1)
        #expect(client.rateLimits?.retryAfter == .seconds(3600))
        #expect(client.rateLimits?.remainingRequests == 0)
        #expect(client.rateLimits?.tokenLimit == 500)
        await server.stop()
    }

    @Test(arguments: ["", "{", "[]", "null", #"{"object":"response"}"#, #"{"id":7}"#, #"{"id":"r","output":[7]}"#])
    func anAnswerThatCannotBeReadIsAnError(body: String) async throws {
        let server = try await ResponsesServer { _, _ in
            ServerResponse(headers: ["Content-Type": "application/json"], body: .bytes(Array(body.utf8)))
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        for isStream in [false, true] {
            let error = await #expect(throws: EchoError.self) {
                if isStream {
                    _ = try await client.stream(Self.request).response()
                } else {
                    _ = try await client.create(Self.request)
                }
            }
            switch error {
            case .malformedResponse?, .streamInterrupted?: break
            default: Issue.record("\(body): \(String(describing: error))")
            }
        }
        await server.stop()
    }

    @Test func aFailureInAGoodAnswerIsThrown() async throws {
        guard case (.apiError(let failure)?, 1) = try await thrown(200, Self.failure("server_error")) else {
            Issue.record("another error")
            return
        }
        #expect(failure.code == "server_error")
        var failed = Sample.response("Half", status: "failed").object ?? [:]
        failed["error"] = ["code": "server_error", "message": "It broke."]
        guard case (.responseFailed(let reason)?, 1) = try await thrown(200, .object(failed)) else {
            Issue.record("not failed")
            return
        }
        #expect(reason.message == "It broke.")
    }

    @Test func nobodyListens() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.json(Sample.response("x")) }
        let configuration = server.configuration()
        await server.stop()
        let client = ResponsesClient(key: "k", configuration: configuration)
        let error = await #expect(throws: EchoError.self) { try await client.create(Self.request) }
        guard case .connectionFailed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Servers repeat keys in their errors: neither this key nor what looks like one may be seen anywhere.
    @Test func noKeyIsSeenAnywhere() async throws {
        let key = "sk-proj-AbCdEf_123456"
        let words = "Incorrect API key provided: \(key). Or sk-other*****QwXz, at request \(key)."
        let failed: JSONValue = [
            "type": "response.failed",
            "response": ["id": "r", "status": "failed", "error": ["code": "x", "message": .string(words)]],
        ]
        let server = try await ResponsesServer { asked, number in
            switch number {
            case 0: ResponsesServer.json(Self.failure("invalid_api_key", words), status: 401)
            case 1: ResponsesServer.json(Self.failure("insufficient_quota", words), status: 429)
            case 2: ResponsesServer.events([failed])
            case 3: ResponsesServer.events([["type": "error", "message": .string(words)]])
            default: ServerResponse(headers: ["Content-Type": "application/json"], body: .bytes(Array(words.utf8)))
            }
        }
        let configuration = server.configuration { $0.endpoint.headers = ["X-Extra": "1"] }
        let client = ResponsesClient(key: key, configuration: configuration)
        var seen: [String] = []
        func show(_ value: Any) {
            var text = ""
            dump(value, to: &text)
            seen += [text, String(describing: value), String(reflecting: value)]
        }
        for number in 0..<5 {
            let error = await #expect(throws: EchoError.self) {
                if number == 2 || number == 3 {
                    for try await event in try await client.stream(Self.request) { show(event) }
                } else {
                    _ = try await client.create(Self.request)
                }
            }
            if let error { show(error) }
        }
        show(client)
        #expect(server.requests.count == 5)
        #expect(seen.count >= 21)
        for text in seen {
            #expect(!text.contains("AbCdEf_123456"), "\(text)")
            #expect(!text.contains("QwXz"), "\(text)")
        }
        await server.stop()
    }
}
