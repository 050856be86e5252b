// SPDX-License-Identifier: MIT

import Echo
import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// What goes out is judged by OpenAI's own types, which no field that they do not know passes.
@Suite struct RequestJudgeTests {
    private struct Failure: Error, CustomStringConvertible { let description: String }

    @Test func everyBodyIsOneOfTheSDKs() async throws {
        let transport = ScriptedTransport { request in
            HTTPResponse(status: 400, url: request.url, body: HTTPResponseBody(Array("{}".utf8)))
        }
        var random = SeededGenerator(seed: 8)
        for textAPI in [EchoEndpoint.TextAPI.responses, .chatCompletions] {
            var configuration = EchoConfiguration()
            configuration.transport = transport
            configuration.endpoint.textAPI = textAPI
            let client = ResponsesClient(key: "k", configuration: configuration)
            for _ in 0..<150 {
                let request = request(isChat: textAPI == .chatCompletions, using: &random)
                await #expect(throws: EchoError.self) { try await client.create(request) }
                await #expect(throws: EchoError.self) { try await client.stream(request) }
            }
        }
        let lines = try transport.requests.map { request in
            guard case .bytes(let bytes) = request.body else { throw Failure(description: "no body") }
            let entry: JSONValue = ["path": .string(request.url.path), "body": try JSONValue(parsing: bytes)]
            return entry.text
        }
        #expect(lines.count == 600)
        #expect(try await judge("bodies.py", lines) == lines.count)
    }

    @Test func theSamplesOfEventsAreTheSDKs() async throws {
        let lines = EventSamples.texts.map { #"{"kind":"event","value":\#($0)}"# }
        #expect(try await judge("answers.py", lines) == 59)
    }

    private func request(isChat: Bool, using random: inout SeededGenerator) -> ResponsesRequest {
        func sometimes<Value>(_ value: Value) -> Value? { Int.random(in: 0..<3, using: &random) == 0 ? value : nil }
        var request = ResponsesRequest(model: .gpt5Mini, input: items(isChat: isChat, using: &random))
        request.instructions = sometimes("Be brief.")
        let schema: JSONValue = ["type": "object", "properties": ["x": ["type": "string"]], "required": ["x"]]
        if let tool = sometimes(
            ResponseTool.function(
                name: "f", description: sometimes("does"), parameters: schema, isStrict: .random(using: &random)))
        {
            request.tools = [tool]
            request.toolChoice = [.auto, .none, .required, .function(name: "f")].randomElement(using: &random)
            request.parallelToolCalls = sometimes(true)
        }
        request.textFormat = sometimes(
            [.text, .jsonObject, .jsonSchema(name: "s", schema: schema, description: sometimes("d"))]
                .randomElement(using: &random) ?? .text)
        request.reasoning = sometimes(Reasoning(effort: .minimal, summary: isChat ? nil : "auto"))
        request.maximumOutputTokens = sometimes(100)
        request.temperature = sometimes(0.5)
        request.topP = sometimes(0.9)
        guard !isChat else { return request }
        if sometimes(true) == true {
            request.tools += [.custom(name: "c", description: sometimes("d")), .hosted(["type": "web_search"])]
        }
        request.previousResponseID = sometimes("resp_1")
        request.verbosity = sometimes("low")
        request.store = sometimes(true)
        request.background = sometimes(true)
        request.truncation = sometimes(.auto)
        request.metadata = sometimes(["a": "1"]) ?? [:]
        request.include = sometimes(["reasoning.encrypted_content"]) ?? []
        request.maximumToolCalls = sometimes(3)
        request.safetyIdentifier = sometimes("u")
        request.promptCacheKey = sometimes("p")
        request.serviceTier = sometimes("flex")
        return request
    }

    private func items(isChat: Bool, using random: inout SeededGenerator) -> [ResponseItem] {
        let answer = OutputText(
            "x",
            annotations: [["type": "url_citation", "start_index": 0, "end_index": 1, "title": "t", "url": "https://e"]])
        var all: [ResponseItem] = [
            .message(.user, "Hi"), .message(.system, "Rules"), .message(.developer, "Rules"),
            .message(.assistant, "Hello"),
            .message(
                MessageItem(
                    role: .user,
                    content: [
                        .inputText("See"), .inputImage(url: "data:image/png;base64,aGk=", fileID: nil, detail: "low"),
                    ])),
            .functionCall(FunctionCallItem(callID: "c", name: "f", arguments: "{}")),
            .functionCall(FunctionCallItem(id: "fc", callID: "c", name: "f", arguments: "{}", status: .completed)),
            .functionCallOutput(FunctionCallOutputItem(callID: "c", output: .text("x"))),
            .functionCallOutput(FunctionCallOutputItem(callID: "c", output: .parts([.inputText("x")]))),
            .message(
                MessageItem(
                    id: "m", role: .assistant, content: [.outputText(answer), .refusal("no")], status: .incomplete)),
            .reasoning(
                ReasoningItem(id: "rs", summary: ["s"], content: ["t"], encryptedContent: "e", status: .completed)),
        ]
        if !isChat {
            all += [
                .customToolCall(CustomToolCallItem(id: "cc", callID: "c", name: "n", input: "i")),
                .customToolCallOutput(FunctionCallOutputItem(callID: "c", output: .text("x"))), .reference(id: "i"),
                .message(
                    MessageItem(
                        role: .user,
                        content: [
                            .inputFile(name: "a.pdf", data: "data:application/pdf;base64,aGk=", fileID: nil, url: nil)
                        ])),
            ]
        }
        return (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in all.randomElement(using: &random) }
    }

    /// How many lines a script of the SDK's environment has found right.
    private func judge(_ script: String, _ lines: [String]) async throws -> Int? {
        let tests = URL(filePath: #filePath).appending(path: "../../..").standardized
        let python = tests.appending(path: "../../../.venv-peers/bin/python").standardized.path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Failure(description: "there is no \(python): run Scripts/test-peers")
        }
        let folder = try TemporaryFolder()
        let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "lines.jsonl")
        let path = tests.appending(path: "../../EchoSimulator/Tests/EchoSimulatorTests/Fixtures/\(script)").standardized
            .path
        let result = try await ChildProcess(python, ["-B", path, input], errors: .output).finished()
        guard result.code == 0 else { throw Failure(description: result.output) }
        return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
