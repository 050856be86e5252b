// SPDX-License-Identifier: MIT

import Echo
import HTTPServer
import Networking
import Testing

/// Servers without `/responses`, behind the same port.
@Suite struct ChatCompletionsTests {
    private static let model = ResponsesModel(rawValue: "llama")
    private static let request = ResponsesRequest(model: model, text: "Hi")

    private func client(_ server: ResponsesServer) -> ResponsesClient {
        ResponsesClient(
            key: "",
            configuration: server.configuration {
                $0.endpoint.textAPI = .chatCompletions
                $0.endpoint.models = ["llama"]
            })
    }

    /// The events of a stream of these chunks, its answer, and its error.
    private func stream(
        _ chunks: [JSONValue], end: String = "data: [DONE]\n\n", request: ResponsesRequest = Self.request
    ) async throws -> (types: [String], response: Response, error: (any Error)?) {
        let server = try await ResponsesServer { _, _ in ResponsesServer.events(chunks, end: end) }
        let stream = try await client(server).stream(request)
        var types: [String] = []
        var numbers: [Int] = []
        var failure: (any Error)?
        do {
            for try await event in stream {
                types.append(event.type)
                numbers.append(event.sequenceNumber ?? -1)
            }
        } catch { failure = error }
        #expect(numbers == Array(0..<types.count))
        await server.stop()
        return (types, stream.partial, failure)
    }

    private static func chunk(_ delta: JSONValue, finish: JSONValue = nil) -> JSONValue {
        [
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_730_000_000, "model": "llama-3-8b",
            "choices": [["index": 0, "delta": delta, "finish_reason": finish]],
        ]
    }

    @Test func aHistoryBecomesMessages() async throws {
        let server = try await ResponsesServer { _, _ in
            ResponsesServer.json([
                "id": "chatcmpl-1", "model": "llama-3-8b",
                "choices": [["message": ["role": "assistant", "content": "Hello"], "finish_reason": "stop"]],
                "usage": ["prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15],
            ])
        }
        var request = ResponsesRequest(
            model: Self.model,
            input: [
                .message(.developer, "Rules."), .message(.user, "Weather?"),
                .reasoning(ReasoningItem(id: "rs_1", content: ["Hmm"])), .message(.assistant, "I look."),
                .functionCall(FunctionCallItem(callID: "c1", name: "weather", arguments: #"{"at":"Bonn"}"#)),
                .functionCall(FunctionCallItem(callID: "c2", name: "time", arguments: "{}")),
                .functionCallOutput(FunctionCallOutputItem(callID: "c1", output: .text("rain"))),
                .functionCallOutput(FunctionCallOutputItem(callID: "c2", output: .parts([.inputText("noon")]))),
                .functionCall(FunctionCallItem(callID: "c3", name: "time", arguments: "{}")),
                .message(
                    MessageItem(
                        role: .user,
                        content: [
                            .inputText("See"),
                            .inputImage(url: "data:image/png;base64,aGk=", fileID: nil, detail: "low"),
                        ])),
            ], instructions: "Be brief.")
        request.tools = [
            .function(name: "time", description: "The time", parameters: ["type": "object"], isStrict: true)
        ]
        request.toolChoice = .function(name: "time")
        request.parallelToolCalls = false
        request.textFormat = .jsonSchema(name: "s", schema: ["type": "object"])
        request.maximumOutputTokens = 100
        request.temperature = 0.5
        request.reasoning = Reasoning(effort: .low)
        request.extra = ["seed": 7]
        let response = try await client(server).create(request)
        #expect(response.outputText == "Hello")
        #expect(response.id == "chatcmpl-1")
        #expect(response.model == "llama-3-8b")
        #expect(response.usage == Usage(inputTokens: 12, outputTokens: 3))
        let asked = try #require(server.requests.first)
        #expect(asked.path == "/v1/chat/completions")
        let call: (JSONValue, JSONValue, JSONValue) -> JSONValue = { id, name, arguments in
            ["id": id, "type": "function", "function": ["name": name, "arguments": arguments]]
        }
        #expect(
            asked.body == [
                "model": "llama",
                "messages": [
                    ["role": "system", "content": "Be brief."], ["role": "system", "content": "Rules."],
                    ["role": "user", "content": "Weather?"],
                    [
                        "role": "assistant", "content": "I look.",
                        "tool_calls": [call("c1", "weather", #"{"at":"Bonn"}"#), call("c2", "time", "{}")],
                    ],
                    ["role": "tool", "tool_call_id": "c1", "content": "rain"],
                    ["role": "tool", "tool_call_id": "c2", "content": "noon"],
                    ["role": "assistant", "content": nil, "tool_calls": [call("c3", "time", "{}")]],
                    [
                        "role": "user",
                        "content": [
                            ["type": "text", "text": "See"],
                            [
                                "type": "image_url",
                                "image_url": ["url": "data:image/png;base64,aGk=", "detail": "low"],
                            ],
                        ],
                    ],
                ],
                "tools": [
                    [
                        "type": "function",
                        "function": [
                            "name": "time", "description": "The time", "parameters": ["type": "object"], "strict": true,
                        ],
                    ]
                ],
                "tool_choice": ["type": "function", "function": ["name": "time"]], "parallel_tool_calls": false,
                "response_format": [
                    "type": "json_schema",
                    "json_schema": ["name": "s", "schema": ["type": "object"], "strict": true],
                ],
                "reasoning_effort": "low", "max_tokens": 100, "temperature": 0.5, "seed": 7,
            ])
        await server.stop()
    }

    @Test func aStreamHasTheEventsOfTheResponsesAPI() async throws {
        let (types, response, error) = try await stream([
            Self.chunk(["role": "assistant", "content": nil]), Self.chunk(["reasoning_content": "Hmm"]),
            Self.chunk(["content": "Hel"]), Self.chunk(["content": "lo"]), Self.chunk([:], finish: "stop"),
            ["id": "chatcmpl-1", "choices": [], "usage": ["prompt_tokens": 5, "completion_tokens": 2]],
        ])
        #expect(error == nil)
        #expect(
            types == [
                "response.created", "response.output_item.added", "response.reasoning_text.delta",
                "response.output_item.added", "response.content_part.added", "response.output_text.delta",
                "response.output_text.delta", "response.reasoning_text.done", "response.output_item.done",
                "response.output_text.done", "response.content_part.done", "response.output_item.done",
                "response.completed",
            ])
        #expect(response.outputText == "Hello")
        #expect(response.usage == Usage(inputTokens: 5, outputTokens: 2))
        guard case .reasoning(let thoughts)? = response.output.first else {
            Issue.record("no thoughts")
            return
        }
        #expect(thoughts.content == ["Hmm"])
    }

    @Test func theStreamAsksForUsage() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.events([], end: "data: [DONE]\n\n") }
        _ = try await client(server).stream(Self.request).response()
        #expect(server.requests[0].body["stream"] == true)
        #expect(server.requests[0].body["stream_options"] == ["include_usage": true])
        await server.stop()
    }

    /// OpenAI's fragments, and what Ollama, llama.cpp and vLLM make of them.
    private static let callForms: [(name: String, chunks: [JSONValue])] = [
        (
            "by index",
            [
                [["index": 0, "id": "a", "type": "function", "function": ["name": "f", "arguments": ""]]],
                [["index": 0, "function": ["arguments": #"{"x""#]]],
                [["index": 1, "id": "b", "type": "function", "function": ["name": "g", "arguments": "{"]]],
                [["index": 0, "function": ["arguments": ":1}"]]], [["index": 1, "function": ["arguments": "}"]]],
            ]
        ),
        (
            "whole, all at index 0",
            [
                [["index": 0, "id": "a", "function": ["name": "f", "arguments": #"{"x":1}"#]]],
                [["index": 0, "id": "b", "function": ["name": "g", "arguments": "{}"]]],
            ]
        ),
        (
            "whole, no index, arguments as an object",
            [
                [
                    ["id": "a", "function": ["name": "f", "arguments": ["x": 1]]],
                    ["id": "b", "function": ["name": "g", "arguments": [:]]],
                ]
            ]
        ),
        (
            "fragments without an index",
            [
                [["id": "a", "function": ["name": "f", "arguments": #"{"x""#]]], [["function": ["arguments": ":1}"]]],
                [["id": "b", "function": ["name": "g"]]],
            ]
        ),
        (
            "the id repeated, arguments null",
            [
                [["index": 0, "id": "a", "function": ["name": "f", "arguments": nil]]],
                [["index": 0, "id": "a", "function": ["name": "f", "arguments": #"{"x":1}"#]]],
                [["index": 1, "id": "b", "function": ["name": "g", "arguments": nil]]],
            ]
        ),
    ]

    @Test(arguments: callForms.indices) func callsArePutTogether(form: Int) async throws {
        let (name, calls) = Self.callForms[form]
        let (types, response, error) = try await stream(
            calls.map { Self.chunk(["tool_calls": $0]) } + [Self.chunk([:], finish: "tool_calls")])
        #expect(error == nil)
        let found = response.functionCalls
        #expect(found.map(\.name) == ["f", "g"], "\(name)")
        #expect(found.map(\.callID) == ["a", "b"], "\(name)")
        #expect(found.map(\.arguments) == [#"{"x":1}"#, "{}"], "\(name)")
        #expect(types.filter { $0 == "response.output_item.done" }.count == 2)
        #expect(response.status == .completed)
    }

    @Test func idsThatAreMissingAreMade() async throws {
        let (_, response, _) = try await stream([
            [
                "choices": [
                    [
                        "delta": ["tool_calls": [["function": ["name": "f", "arguments": "{}"]]]],
                        "finish_reason": "stop",
                    ]
                ]
            ],
            ["choices": [["delta": ["tool_calls": [["function": ["name": "f", "arguments": "{}"]]]]]]],
        ])
        #expect(!response.id.isEmpty)
        #expect(response.model == "llama")
        let ids = response.functionCalls.map(\.callID)
        #expect(ids.count == 2)
        #expect(Set(ids).count == 2)
        #expect(ids.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: [
        ("stop", "completed", nil), ("length", "incomplete", "max_output_tokens"),
        ("content_filter", "incomplete", "content_filter"), ("eos_token", "completed", nil),
        ("tool_calls", "completed", nil),
    ])
    func reasonsToStop(reason: String, status: String, why: String?) async throws {
        let (types, response, error) = try await stream([
            Self.chunk(["content": "x"]), Self.chunk([:], finish: .string(reason)),
        ])
        #expect(error == nil)
        #expect(response.status.rawValue == status)
        #expect(response.incompleteReason == why)
        #expect(types.last == "response.\(status)")
    }

    @Test func withoutDoneAReasonIsEnough() async throws {
        let (_, response, error) = try await stream(
            [Self.chunk(["content": "x"]), Self.chunk([:], finish: "stop")], end: "")
        #expect(error == nil)
        #expect(response.status == .completed)
    }

    @Test func withoutDoneAndReasonItIsCutOff() async throws {
        let (_, _, error) = try await stream([Self.chunk(["content": "half"])], end: "")
        guard case .streamInterrupted(let interruption)? = error as? EchoError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(interruption.reason == .endedEarly)
        #expect(interruption.partial.outputText == "half")
    }

    @Test func anErrorInTheStreamIsThrown() async throws {
        let failure: JSONValue = ["error": ["message": "out of memory", "code": 500, "type": "server_error"]]
        let (_, _, error) = try await stream([Self.chunk(["content": "half"]), failure])
        guard case .streamInterrupted(let interruption)? = error as? EchoError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            interruption.reason == .failure(APIFailure(type: "server_error", code: "500", message: "out of memory")))
        let (_, _, first) = try await stream([failure])
        guard case .apiError? = first as? EchoError else {
            Issue.record("\(String(describing: first))")
            return
        }
    }

    /// A server that does not stream, and one that reports an error with 200.
    @Test func anAnswerThatComesWhole() async throws {
        let server = try await ResponsesServer { _, number in
            number == 0
                ? ResponsesServer.json([
                    "choices": [
                        ["message": ["content": [["type": "text", "text": "Whole"]]], "finish_reason": "stop"]
                    ]
                ])
                : ResponsesServer.json(["error": ["message": "no such model"]])
        }
        let client = client(server)
        #expect(try await client.stream(Self.request).response().outputText == "Whole")
        await #expect(throws: EchoError.self) { _ = try await client.stream(Self.request).response() }
        await #expect(throws: EchoError.self) { try await client.create(Self.request) }
        await server.stop()
    }

    @Test func whatSuchAServerCannotDoIsSaid() async throws {
        let server = try await ResponsesServer { _, _ in ResponsesServer.json([:]) }
        let client = client(server)
        #expect(!client.keepsResponses)
        var background = Self.request
        background.background = true
        var hosted = Self.request
        hosted.tools = [.hosted(["type": "web_search"])]
        let requests = [
            background, hosted, ResponsesRequest(model: Self.model, text: "Hi", previousResponseID: "r"),
            ResponsesRequest(model: Self.model, input: [.reference(id: "i")]),
        ]
        for request in requests {
            let error = await #expect(throws: EchoError.self) { try await client.create(request) }
            guard case .unsupported? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        await #expect(throws: EchoError.self) { try await client.retrieve("r") }
        await #expect(throws: EchoError.self) { try await client.cancel("r") }
        await #expect(throws: EchoError.self) { try await client.delete("r") }
        #expect(server.requests.isEmpty)
        await server.stop()
    }
}
