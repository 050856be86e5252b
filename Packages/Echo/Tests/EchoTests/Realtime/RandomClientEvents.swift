// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit

@testable import Echo

/// Client events with any options that there are.
struct RandomClientEvents {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// One event of each kind.
    mutating func oneOfEach() -> [ClientEvent] {
        let details: [ClientEvent.Detail] = [
            .sessionUpdate(session()), .inputAudioAppend([1, 2, 3, UInt8.random(in: 0...255, using: &random)]),
            .inputAudioCommit, .inputAudioClear, .outputAudioClear, .itemCreate(item(), at: place()),
            .itemRetrieve(id: "a"),
            .itemTruncate(id: "a", contentIndex: 0, audioEnd: Int.random(in: 1...9_999, using: &random)),
            .itemDelete(id: "a"), .responseCreate(maybe { $0.request() }),
            .responseCancel(responseID: maybe { _ in "r" }),
        ]
        return details.map { detail in ClientEvent(detail, id: maybe { _ in "event" }) }
    }

    private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        Bool.random(using: &random) ? make(&self) : nil
    }

    private mutating func one<Value>(_ values: Value...) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func session() -> RealtimeSessionConfiguration {
        var session = RealtimeSessionConfiguration()
        session.instructions = maybe { _ in "Be brief." }
        session.transcription = maybe { maker in
            RealtimeTranscription(language: maker.maybe { _ in "en" }, prompt: maker.maybe { _ in "Swift, Linux" })
        }
        session.noiseReduction = one(nil, .nearField, .farField)
        session.turnDetection = one(.manual, .disabled, .automatic(detection()))
        session.voice = one(nil, .marin, .named("alloy"), .custom(id: "voice_1"))
        session.speed = one(nil, 0.25, 1, 1.5)
        session.tools = tools()
        session.reasoning = one(nil, .minimal, .low, .medium, .high)
        session.maximumOutputTokens = one(nil, 1, 4_096)
        return session
    }

    private mutating func detection() -> VADConfiguration {
        var detection = one(
            VADConfiguration(idleTimeout: one(nil, .seconds(6))), .semantic(one(.low, .medium, .high, .auto)))
        detection.createsResponse = one(true, false)
        detection.interruptsResponse = one(true, false)
        return detection
    }

    private mutating func tools() -> [ResponseTool] {
        one(
            [],
            [
                .function(
                    name: "weather", description: one(nil, "The weather."),
                    parameters: ["type": "object", "properties": [:]]),
                .hosted([
                    "type": "mcp", "server_label": "s", "server_url": "https://mcp.example",
                    "require_approval": "never",
                ]),
            ])
    }

    private mutating func request() -> RealtimeResponseRequest {
        RealtimeResponseRequest(
            instructions: one(nil, "Say hello."), voice: one(nil, .cedar), tools: maybe { $0.tools() },
            toolChoice: one(nil, ToolChoice.auto, ToolChoice.none), maximumOutputTokens: one(nil, 100),
            isInConversation: one(true, false), input: maybe { maker in [maker.item(), maker.item()] },
            metadata: one([:], ["a": "b"]))
    }

    private mutating func place() -> MessagePlace { one(.end, .beginning, .after("b")) }

    private mutating func item() -> ResponseItem {
        let status: ItemStatus? = one(nil, .completed, .incomplete, .inProgress)
        let id: String? = maybe { _ in "item" }
        let mcp = mcpItems(id)
        return one(
            .message(MessageItem(id: id, role: .system, content: [.inputText("Rules.")], status: status)),
            .message(
                MessageItem(
                    id: id, role: .user,
                    content: [
                        .inputText("Look."), .inputAudio([1, 2], transcript: one(nil, "Look.")),
                        .inputImage(url: "data:image/png;base64,AA==", detail: one(nil, "low")),
                    ], status: status)),
            .message(
                MessageItem(
                    id: id, role: .assistant,
                    content: [.outputText(OutputText("Yes.")), .outputAudio([1, 2], transcript: one(nil, "Yes."))],
                    status: status)),
            .functionCall(
                FunctionCallItem(
                    id: id, callID: "call", name: "weather", arguments: "{}", status: status, rest: ["object": "x"])),
            .functionCallOutput(
                FunctionCallOutputItem(
                    id: id, callID: "call", output: one(.text("Sun."), .parts([.inputText("Sun.")])),
                    rest: ["status": "y"])),
            mcp[0], mcp[1], mcp[2], mcp[3])
    }

    /// The items of MCP servers, which have no types of their own.
    private mutating func mcpItems(_ id: String?) -> [ResponseItem] {
        let output: JSONValue? = one(nil, "done")
        let error: JSONValue? = one(nil, ["type": "http_error", "code": 500, "message": "No."])
        let approval: JSONValue? = one(nil, "r")
        let reason: JSONValue? = one(nil, "Fine.")
        let call: JSONObject = ["id": "m", "server_label": "s", "name": "n", "arguments": "{}"]
        let tools: JSONValue = [["name": "n", "input_schema": ["type": "object"]]]
        return [
            Self.unknown("mcp_call", call, ["output": output, "error": error, "approval_request_id": approval]),
            Self.unknown("mcp_approval_request", call),
            Self.unknown(
                "mcp_approval_response", ["id": "m", "approval_request_id": "r", "approve": true], ["reason": reason]),
            Self.unknown(
                "mcp_list_tools", ["server_label": "s", "tools": tools], ["id": id.map { JSONValue.string($0) }]),
        ]
    }

    private static func unknown(
        _ type: String, _ members: JSONObject, _ others: [String: JSONValue?] = [:]
    ) -> ResponseItem {
        var object = members
        object["type"] = .string(type)
        for (name, value) in others { object.set(name, value) }
        return .unknown(type: type, .object(object))
    }
}
