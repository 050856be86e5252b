// SPDX-License-Identifier: MIT

import Echo
import Testing

@Suite struct ResponsesRequestTests {
    @Test func everyOptionIsSent() {
        var request = ResponsesRequest(model: .gpt5, text: "Hi", instructions: "Brief", previousResponseID: "resp_0")
        request.tools = [
            .function(name: "f", description: "does f", parameters: ["type": "object"], isStrict: true),
            .custom(name: "c", description: nil), .hosted(["type": "web_search"]),
        ]
        request.toolChoice = .required
        request.parallelToolCalls = true
        request.maximumToolCalls = 3
        request.textFormat = .jsonSchema(name: "answer", schema: ["type": "object"], description: "d")
        request.verbosity = "low"
        request.reasoning = Reasoning(effort: .minimal, summary: "auto")
        request.maximumOutputTokens = 99
        request.temperature = 1
        request.topP = 0.9
        request.store = true
        request.background = true
        request.truncation = .auto
        request.metadata = ["b": "2", "a": "1"]
        request.include = ["reasoning.encrypted_content"]
        request.safetyIdentifier = "u"
        request.promptCacheKey = "p"
        request.serviceTier = "flex"
        request.extra = ["top_logprobs": 2, "store": false]
        let expected: JSONValue = [
            "model": "gpt-5", "input": [["type": "message", "role": "user", "content": "Hi"]], "instructions": "Brief",
            "previous_response_id": "resp_0",
            "tools": [
                [
                    "type": "function", "name": "f", "description": "does f", "parameters": ["type": "object"],
                    "strict": true,
                ], ["type": "custom", "name": "c"], ["type": "web_search"],
            ],
            "tool_choice": "required", "parallel_tool_calls": true, "max_tool_calls": 3,
            "text": [
                "format": [
                    "type": "json_schema", "name": "answer", "schema": ["type": "object"], "strict": true,
                    "description": "d",
                ], "verbosity": "low",
            ],
            "reasoning": ["effort": "minimal", "summary": "auto"], "max_output_tokens": 99, "temperature": 1,
            "top_p": 0.9, "store": false, "background": true, "truncation": "auto", "metadata": ["a": "1", "b": "2"],
            "include": ["reasoning.encrypted_content"], "safety_identifier": "u", "prompt_cache_key": "p",
            "service_tier": "flex", "stream": true, "top_logprobs": 2,
        ]
        #expect(request.json(stream: true) == expected)
    }

    @Test func choices() {
        func choice(_ choice: ToolChoice) -> JSONValue? {
            var request = ResponsesRequest(model: .gpt5, text: "x")
            request.toolChoice = choice
            return request.json()["tool_choice"]
        }
        #expect(choice(.auto) == "auto")
        #expect(choice(.none) == "none")
        #expect(choice(.function(name: "f")) == ["type": "function", "name": "f"])
        #expect(choice(.other(["type": "mcp"])) == ["type": "mcp"])
    }

    /// What the server sent goes back as it came, members that are not typed included.
    @Test(arguments: [
        #"{"type":"message","id":"m","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"x","annotations":[{"type":"file_path","file_id":"f","index":1}],"logprobs":[{"token":"x"}]},{"type":"refusal","refusal":"no"},{"type":"hologram","depth":2}]}"#,
        #"{"type":"message","role":"user","content":"x"}"#,
        #"{"type":"message","role":"user","content":[{"type":"input_text","text":"x"},{"type":"input_image","detail":"low","image_url":"data:,"},{"type":"input_file","file_id":"f"}]}"#,
        #"{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}","status":"completed","namespace":"n"}"#,
        #"{"type":"function_call_output","call_id":"c","output":"x"}"#,
        #"{"type":"function_call_output","id":"o","call_id":"c","output":[{"type":"input_text","text":"x"}],"status":"completed"}"#,
        #"{"type":"custom_tool_call","id":"cc","call_id":"c","name":"n","input":"i"}"#,
        #"{"type":"custom_tool_call_output","call_id":"c","output":"x"}"#,
        #"{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"s"}],"content":[{"type":"reasoning_text","text":"t"}],"encrypted_content":"e","status":"completed"}"#,
        #"{"type":"item_reference","id":"i"}"#,
        #"{"type":"web_search_call","id":"ws","status":"completed","action":{}}"#,
        #"{"type":"hologram","anything":[1,2]}"#,
    ])
    func itemsGoBackAsTheyCame(text: String) throws {
        let json = try JSONValue(parsing: text)
        #expect(try ResponseItem(json: json).json == json)
    }

    @Test func aMessageByHandIsShort() {
        #expect(
            ResponseItem.message(.assistant, "x").json == ["type": "message", "role": "assistant", "content": "x"])
        let call = ResponseItem.functionCall(FunctionCallItem(callID: "c", name: "f", arguments: "{}"))
        #expect(call.json == ["type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"])
    }

    @Test func `spoken items are text in a request, and rules are the system's in a voice session`() throws {
        let parts: [ContentPart] = [
            .outputAudio([1, 2], transcript: "Hi."), .outputAudio([3], transcript: nil), .refusal("No."),
        ]
        let answer = ResponseItem.message(MessageItem(id: "a", role: .assistant, content: parts, status: .incomplete))
        #expect(
            answer.json["content"]
                == [
                    ["type": "output_text", "text": "Hi.", "annotations": []], ["type": "refusal", "refusal": "No."],
                ])
        let spoken = answer.json(in: .realtime)
        #expect(
            spoken["content"]
                == [
                    ["type": "output_audio", "audio": "AQI=", "transcript": "Hi."],
                    ["type": "output_audio", "audio": "Aw=="], ["type": "output_text", "text": "No."],
                ])
        guard case .message(let read) = try ResponseItem(json: spoken, in: .realtime) else {
            Issue.record("no message")
            return
        }
        #expect(Array(read.content.prefix(2)) == Array(parts.prefix(2)) && read.status == .incomplete)
        let file = ContentPart.inputFile(name: "f", data: nil, fileID: "f", url: nil)
        let rules = MessageItem(id: "r", role: .developer, content: [.inputText("Be brief."), file], rest: ["x": 1])
        #expect(
            ResponseItem.message(rules).json(in: .realtime)
                == [
                    "type": "message", "role": "system", "id": "r",
                    "content": [["type": "input_text", "text": "Be brief."]],
                ])
    }
}
