// SPDX-License-Identifier: MIT

import Echo
import HTTPServer
import Networking
import Testing

@Suite struct ResponsesClientTests {
    @Test func itAsksAndReadsTheAnswer() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.json(Sample.response("Hello")) }
        let client = ResponsesClient(key: "sk-test-1234", configuration: server.configuration())
        let response = try await client.create(
            ResponsesRequest(model: .gpt5Mini, text: "Hi", instructions: "Be brief."))
        #expect(response.id == "resp_1")
        #expect(response.outputText == "Hello")
        #expect(response.status == .completed)
        #expect(
            response.usage
                == Usage(inputTokens: 1000, cachedInputTokens: 400, outputTokens: 200, reasoningTokens: 150))
        let asked = try #require(server.requests.first)
        #expect(asked.method == .post)
        #expect(asked.path == "/v1/responses")
        #expect(asked.headers["Authorization"] == "Bearer sk-test-1234")
        #expect(asked.headers["Content-Type"] == "application/json")
        #expect(
            asked.body == [
                "model": "gpt-5-mini", "instructions": "Be brief.", "max_output_tokens": 4096,
                "input": [["type": "message", "role": "user", "content": "Hi"]],
            ])
        await server.stop()
    }

    @Test func turnsGoOnByIdOrByTheFullHistory() async throws {
        let server = try await ResponsesServer { _, number in
            ResponsesServer.json(Sample.response("Answer \(number)", id: "resp_\(number)"))
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let first = try await client.create(ResponsesRequest(model: .gpt5, text: "One"))
        _ = try await client.create(ResponsesRequest(model: .gpt5, text: "Two", previousResponseID: first.id))
        let history = [ResponseItem.message(.user, "One")] + first.output + [.message(.user, "Two")]
        _ = try await client.create(ResponsesRequest(model: .gpt5, input: history))
        #expect(server.requests[1].body["previous_response_id"] == "resp_0")
        let input = try #require(server.requests[2].body["input"]?.array)
        #expect(input.count == 3)
        #expect(input[1] == Sample.response("Answer 0")["output"]?[0])
        await server.stop()
    }

    @Test func itStreams() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.events(Sample.stream(["Hel", "lo"])) }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let stream = try await client.stream(ResponsesRequest(model: .gpt5, text: "Hi"))
        var types: [String] = []
        for try await event in stream { types.append(event.type) }
        #expect(
            types == [
                "response.created", "response.output_text.delta", "response.output_text.delta", "response.completed",
            ])
        #expect(stream.partial.outputText == "Hello")
        #expect(stream.lastSequenceNumber == 3)
        #expect(server.requests[0].body["stream"] == true)
        #expect(server.requests[0].headers["Accept"] == "text/event-stream")
        #expect(client.meter.totals.usage["gpt-5"]?.inputTokens == 1000)
        await server.stop()
    }

    @Test func anAnswerThatComesWholeIsAStreamToo() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.json(Sample.response("Whole")) }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        let response = try await client.stream(ResponsesRequest(model: .gpt5, text: "Hi")).response()
        #expect(response.outputText == "Whole")
        await server.stop()
    }

    @Test func itRetrievesCancelsAndDeletes() async throws {
        let server = try await ResponsesServer { asked, _ in
            asked.method == .delete
                ? ResponsesServer.json(["id": "resp_1", "object": "response", "deleted": true])
                : ResponsesServer.json(Sample.response("", status: asked.method == .post ? "cancelled" : "queued"))
        }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        #expect(try await client.retrieve("resp_1").status == .queued)
        #expect(try await client.cancel("resp_1").status == .cancelled)
        try await client.delete("resp_1")
        #expect(
            server.requests.map(\.path) == [
                "/v1/responses/resp_1", "/v1/responses/resp_1/cancel", "/v1/responses/resp_1",
            ])
        #expect(server.requests.map(\.method) == [.get, .post, .delete])
        for id in ["", "../files", "a/b", "a?b", "ä"] {
            await #expect(throws: EchoError.self) { try await client.retrieve(id) }
        }
        #expect(server.requests.count == 3)
        await server.stop()
    }

    @Test func anUnknownModelIsRefusedBeforeAnyRequest() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.json(Sample.response("Hello")) }
        var configuration = server.configuration()
        let strict = ResponsesClient(key: "k", configuration: configuration)
        for name in ["gpt-4", "gpt-3.5-turbo", "GPT-5", "", "gpt-5 "] {
            let request = ResponsesRequest(model: ResponsesModel(rawValue: name), text: "Hi")
            let error = await #expect(throws: EchoError.self) { try await strict.create(request) }
            guard case .unsupportedModel(name)? = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            await #expect(throws: EchoError.self) { _ = try await strict.stream(request) }
        }
        #expect(server.requests.isEmpty)
        configuration.endpoint.models = ["llama-3"]
        let own = ResponsesClient(key: "", configuration: configuration)
        _ = try await own.create(ResponsesRequest(model: ResponsesModel(rawValue: "llama-3"), text: "Hi"))
        #expect(server.requests.count == 1)
        #expect(server.requests[0].headers["Authorization"] == nil)
        #expect(server.requests[0].body["max_output_tokens"] == nil)
        await server.stop()
    }

    @Test func whatCannotBeIsRefusedBeforeAnyRequest() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.json(Sample.response("Hello")) }
        let client = ResponsesClient(key: "k", configuration: server.configuration())
        var tooLong = ResponsesRequest(model: .gpt5Nano, text: "Hi")
        tooLong.maximumOutputTokens = 2049
        var unkept = ResponsesRequest(model: .gpt5, text: "Hi")
        unkept.background = true
        unkept.store = false
        for request in [tooLong, unkept] {
            await #expect(throws: EchoError.self) { try await client.create(request) }
        }
        for address in ["http://example.org/v1", "nonsense", "", "https://"] {
            let configuration = server.configuration { $0.endpoint.baseURL = address }
            let error = await #expect(throws: EchoError.self) {
                try await ResponsesClient(key: "k", configuration: configuration)
                    .create(ResponsesRequest(model: .gpt5, text: "Hi"))
            }
            guard case .invalidConfiguration? = error else {
                Issue.record("\(address): \(String(describing: error))")
                continue
            }
        }
        let error = await #expect(throws: EchoError.self) {
            try await ResponsesClient(key: "").create(ResponsesRequest(model: .gpt5, text: "Hi"))
        }
        #expect(error?.description.contains("no API key") == true)
        #expect(server.requests.isEmpty)
        await server.stop()
    }

    @Test func theBudgetRefusesTheNextRequest() async throws {
        let server = try await ResponsesServer { asked, _ in
            asked.body["stream"] == true
                ? ResponsesServer.events(Sample.stream(["x"], id: "resp_s"))
                : ResponsesServer.json(Sample.response("x"))
        }
        // 600 fresh at 1.25, 400 cached at 0.125, 200 out at 10: 2.8 thousandths of a dollar.
        let client = ResponsesClient(key: "k", configuration: server.configuration { $0.budget = 0.004 })
        _ = try await client.create(ResponsesRequest(model: .gpt5, text: "x"))
        #expect(abs(client.meter.totals.cost - 0.0028) < 1e-12)
        _ = try await client.stream(ResponsesRequest(model: .gpt5, text: "x")).response()
        let error = await #expect(throws: EchoError.self) {
            try await client.create(ResponsesRequest(model: .gpt5, text: "x"))
        }
        guard case .budgetExceeded(let spent, limit: 0.004)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(spent - 0.0056) < 1e-12)
        #expect(server.requests.count == 2)
        client.meter.budget = 1
        _ = try await client.create(ResponsesRequest(model: .gpt5, text: "x"))
        await server.stop()
    }
}
