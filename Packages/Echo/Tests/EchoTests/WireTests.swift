// SPDX-License-Identifier: MIT

import Echo
import EchoSimulator
import Foundation
import Testing

/// Every kind of request that the client sends, over a socket to a simulator that checks it as the API does; and each body
/// judged by the request types of OpenAI's Python SDK, with unknown fields forbidden.
@Suite(.timeLimit(.minutes(5))) struct WireTests {
    private static let tool = ResponseTool.function(
        name: "get_weather", description: "The weather at a place",
        parameters: [
            "type": "object", "properties": ["location": ["type": "string"]], "required": ["location"],
            "additionalProperties": false,
        ], isStrict: true)

    private static func request(_ said: String = "Hello", _ change: (inout ResponsesRequest) -> Void)
        -> ResponsesRequest
    {
        var request = ResponsesRequest(model: .gpt5Mini, text: said)
        change(&request)
        return request
    }

    /// One request for each member, and histories of every kind of item.
    private static var requests: [ResponsesRequest] {
        let call = FunctionCallItem(callID: "call_1", name: "get_weather", arguments: "{}")
        return [
            request { $0.instructions = "Be brief." },
            request { request in
                request.reasoning = Reasoning(effort: .low, summary: "auto")
                request.include = ["reasoning.encrypted_content"]
                request.verbosity = "low"
                request.maximumOutputTokens = 64
            },
            request("Get weather in Oslo") { request in
                request.tools = [tool, .custom(name: "note", description: "Keeps a note")]
                request.toolChoice = .auto
                request.parallelToolCalls = false
                request.maximumToolCalls = 3
            },
            request { request in
                request.tools = [tool, .hosted(["type": "web_search"])]
                request.toolChoice = ToolChoice.none
            },
            request { request in
                request.tools = [tool]
                request.toolChoice = .function(name: "get_weather")
            },
            request { request in
                request.textFormat = .jsonSchema(
                    name: "answer",
                    schema: [
                        "type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"],
                        "additionalProperties": false,
                    ], description: "An answer")
            },
            request { $0.textFormat = .jsonObject },
            request { $0.textFormat = .text },
            request { request in
                request.store = true
                request.truncation = .auto
                request.metadata = ["tag": "1"]
                request.safetyIdentifier = "a1"
                request.promptCacheKey = "k"
                request.serviceTier = "flex"
            },
            request { request in
                request.input = [
                    .message(.system, "Be kind."), .message(.developer, "Be brief."), .message(.user, "Hello"),
                    .message(.assistant, "Hi"),
                    .message(MessageItem(id: "msg_1", role: .assistant, content: [.outputText(OutputText("Hi"))])),
                    .message(MessageItem(id: "msg_2", role: .assistant, content: [.refusal("No")])),
                    .reasoning(ReasoningItem(id: "rs_1", summary: ["Hm"], encryptedContent: "gAAA")),
                    .functionCall(call),
                    .functionCallOutput(FunctionCallOutputItem(callID: "call_1", output: .text("Rain"))),
                    .customToolCall(CustomToolCallItem(callID: "call_2", name: "note", input: "x")),
                    .customToolCallOutput(FunctionCallOutputItem(callID: "call_2", output: .text("kept"))),
                    .message(
                        MessageItem(
                            role: .user,
                            content: [
                                .inputText("What is this?"),
                                .inputImage(url: "https://example.org/a.png", fileID: nil, detail: nil),
                                .inputFile(name: "a.txt", data: "data:text/plain;base64,YQ==", fileID: nil, url: nil),
                            ])),
                ]
            },
            request { request in
                request.input = [
                    .functionCall(call),
                    .functionCallOutput(
                        FunctionCallOutputItem(callID: "call_1", output: .parts([.inputText("Rain")]))),
                ]
            },
        ]
    }

    private struct Plan: Codable {
        enum Kind: String, Codable { case walk, rest }
        enum Step: Codable {
            case wait(minutes: Int)
            case go(place: String)
        }
        let title: String
        let kind: Kind
        let note: String?
        let steps: [Step]
    }

    @Test func everyRequestIsOneThatTheAPITakes() async throws {
        let bodies = try await bodies(sentTo: Scenario()) { configuration in
            try await exercise(ResponsesClient(key: "test", configuration: configuration))
            try await converse(Echo(key: "test", configuration: configuration))
        }
        #expect(bodies.count > 2 * Self.requests.count)
        try await SDKJudge.check(bodies)
    }

    @Test(arguments: [Scenario.Dialect.llamaCpp, .ollama, .vLLM])
    func everyChatIsOneThatServersTake(dialect: Scenario.Dialect) async throws {
        let bodies = try await bodies(sentTo: Scenario([], dialect: dialect)) { configuration in
            var configuration = configuration
            configuration.endpoint.textAPI = .chatCompletions
            try await chat(ResponsesClient(key: "test", configuration: configuration))
            try await converse(Echo(key: "test", configuration: configuration))
        }
        #expect(bodies.count > 10)
        try await SDKJudge.check(bodies)
    }

    @Test func aPlantedFieldIsFoundByBoth() async throws {
        let recorded = Collected<String>()
        var settings = SimulatorConfiguration()
        settings.onRequest = { recorded.append($0) }
        let simulator = try await EchoSimulator.start(configuration: settings)
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: simulator.baseURL.absoluteString)
        let client = ResponsesClient(key: "test", configuration: configuration)
        await #expect(throws: EchoError.self) {
            _ = try await client.create(Self.request { $0.extra = ["planted": 1] })
        }
        await simulator.close()
        #expect(simulator.requests.map(\.status) == [400])
        let failure = await #expect(throws: SDKJudge.Failure.self) { try await SDKJudge.check(recorded.values) }
        #expect(failure?.description.contains("$.planted") == true)
    }

    /// The bodies that were sent; the simulator must have refused none.
    private func bodies(
        sentTo scenario: Scenario, by exercise: (EchoConfiguration) async throws -> Void
    ) async throws -> [String] {
        let recorded = Collected<String>()
        var settings = SimulatorConfiguration()
        settings.onRequest = { recorded.append($0) }
        let simulator = try await EchoSimulator.start(scenario: scenario, configuration: settings)
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: simulator.baseURL.absoluteString)
        configuration.retry = nil
        do { try await exercise(configuration) } catch {
            await simulator.close()
            throw error
        }
        await simulator.close()
        let refused = simulator.requests.filter { ($0.status ?? 0) >= 400 }
        #expect(refused.map { $0.json?.text ?? $0.path } == [])
        return recorded.values
    }

    private func exercise(_ client: ResponsesClient) async throws {
        for request in Self.requests {
            _ = try await client.create(request)
            for try await _ in try await client.stream(request) {}
        }
        let first = try await client.create(Self.request("Get weather in Oslo") { $0.tools = [Self.tool] })
        var history: [ResponseItem] = [.message(.user, "Get weather in Oslo")] + first.output
        for case .functionCall(let call) in first.output {
            history.append(
                .functionCallOutput(FunctionCallOutputItem(callID: call.callID, output: .text("Snow"))))
        }
        let second = try await client.create(Self.request { $0.input = history })
        #expect(second.outputText == "get_weather answered: Snow")
        let background = try await client.create(Self.request { $0.background = true })
        _ = try await client.retrieve(background.id)
        _ = try await client.cancel(background.id)
        try await client.delete(background.id)
    }

    /// The specification's uses: a conversation with a tool, structured output, vectors.
    private func converse(_ echo: Echo) async throws {
        echo.registerTool(
            Tool(
                name: "get_weather", description: "Get weather for location",
                parameters: ["location": ["type": "string"]]
            ) { arguments in "Sunny in \(arguments["location"] as? String ?? "nowhere")" })
        let conversation = try await echo.startConversation(mode: .text, systemMessage: "You are a helpful assistant")
        try await conversation.send("Please get_weather in Paris")
        try await conversation.send("Thank you")
        let said = await conversation.allMessages.map(\.text)
        #expect(said.contains("get_weather answered: Sunny in Paris"), "\(said)")
        _ = try await echo.generate.structured(Plan.self, from: "Plan a walk of 30 minutes")
        _ = try await echo.generate.embeddings(from: ["one", "two"])
        _ = try await echo.generate.embedding(from: "three", dimensions: 64)
    }

    private func chat(_ client: ResponsesClient) async throws {
        var requests = [
            Self.request { $0.instructions = "Be brief." },
            Self.request { $0.reasoning = Reasoning(effort: .low) },
            Self.request { $0.maximumOutputTokens = 64 },
            Self.request { $0.textFormat = .jsonObject },
        ]
        requests.append(
            Self.request { request in
                request.tools = [Self.tool]
                request.toolChoice = .required
                request.parallelToolCalls = false
            })
        for request in requests {
            _ = try await client.create(request)
            for try await _ in try await client.stream(request) {}
        }
    }
}
