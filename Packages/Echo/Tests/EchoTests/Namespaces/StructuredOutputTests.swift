// SPDX-License-Identifier: MIT

import Echo
import Testing

@Suite("Structured output")
struct StructuredOutputTests {
    private struct Profile: Codable, Equatable {
        let name: String
        let age: Int
        let city: String?
    }

    private enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case square(side: Double)
    }

    private func service(_ answers: [String]) -> ScriptedResponses {
        ScriptedResponses(answers.map { text in { _ in ScriptedResponses.Step.text([text], id: "r") } })
    }

    @Test("A type comes back, by a strict schema that was derived from it")
    func decoding() async throws {
        let service = service([#"{"name":"John","age":30,"city":null}"#])
        let profile = try await Echo(service).generate.structured(
            Profile.self, from: "Create profile for John, 30 years old", instructions: "Be exact.")
        #expect(profile == Profile(name: "John", age: 30, city: nil))
        let request = try #require(service.requests.first)
        #expect(request.model == .gpt5)
        #expect(request.instructions == "Be exact.")
        #expect(request.store == false)
        guard case .jsonSchema(let name, let schema, _, true)? = request.textFormat else {
            Issue.record("no strict schema: \(String(describing: request.textFormat))")
            return
        }
        #expect(name == "Profile")
        #expect(schema["additionalProperties"] == false)
        #expect(Set(schema["required"]?.array ?? []) == ["name", "age", "city"])
        #expect(schema["properties"]?["city"]?["type"] == ["string", "null"])
    }

    @Test("A type that is no object is wrapped for the API, and unwrapped")
    func wrapping() async throws {
        let service = service([#"{"value":[1,2,3]}"#, #"{"value":{"circle":{"radius":2}}}"#])
        let echo = Echo(service)
        #expect(try await echo.generate.structured([Int].self, from: "count", model: .gpt5Nano) == [1, 2, 3])
        #expect(service.requests.first?.model == .gpt5Nano)
        #expect(try await echo.generate.structured(Shape.self, from: "a circle") == .circle(radius: 2))
    }

    @Test(
        "What does not fit goes back to the model once, with what is wrong",
        arguments: [
            (#"{"name":"John","age":"thirty","city":null}"#, "/age"), (#"{"name":"John","#, "no valid JSON"),
            (#"{"age":3,"city":null}"#, "/name"),
        ])
    func retry(wrong: String, reason: String) async throws {
        let service = service([wrong, #"{"name":"John","age":30,"city":"Ulm"}"#])
        let profile = try await Echo(service).generate.structured(Profile.self, from: "John")
        #expect(profile.city == "Ulm")
        #expect(service.requests.count == 2)
        let texts = service.requests[1].input.compactMap { item in
            if case .message(let message) = item { message.text } else { nil }
        }
        #expect(texts.count == 3)
        #expect(texts[1] == wrong)
        #expect(texts[2].contains(reason))
    }

    @Test("A second misfit is an error with the model's text")
    func failure() async throws {
        let service = service(["{}", "[]"])
        await #expect {
            _ = try await Echo(service).generate.structured(Profile.self, from: "John")
        } throws: { error in
            if case EchoError.invalidStructuredOutput(_, let text) = error { text == "[]" } else { false }
        }
        #expect(service.requests.count == 2)
    }

    @Test("A refusal is an error with the model's words, and not asked again; so is an answer that is cut off")
    func refusal() async throws {
        let refusing = ScriptedResponses([
            { _ in
                let item = ResponseItem.message(
                    MessageItem(id: "m", role: .assistant, content: [.refusal("I will not.")]))
                return [.completed(Response(id: "r", status: .completed, output: [item]))]
            }
        ])
        await #expect {
            _ = try await Echo(refusing).generate.structured(Profile.self, from: "John")
        } throws: { error in
            if case EchoError.refused("I will not.") = error { true } else { false }
        }
        var cut = Response(id: "r", status: .incomplete, output: [.message(.assistant, #"{"na"#)])
        cut.incompleteReason = "max_output_tokens"
        let response = cut
        let short = ScriptedResponses([{ _ in [.event(ResponseStreamEvent(.incomplete, .response(response)))] }])
        await #expect {
            _ = try await Echo(short).generate.structured(Profile.self, from: "John")
        } throws: { error in
            if case EchoError.invalidStructuredOutput(_, #"{"na"#) = error { true } else { false }
        }
    }

    @Test("JSON by a schema of one's own: what may be left out may be null for the API, and is left out then")
    func ownSchema() async throws {
        let schema: JSONSchema = [
            "type": "object",
            "properties": [
                "a": ["type": "integer"], "b": ["type": "string"],
                "list": ["type": "array", "items": ["type": "object", "properties": ["c": ["type": "string"]]]],
            ],
            "required": ["a", "list"],
        ]
        let service = service([#"{"a": 1, "b": null, "list": [{"c": null}, {"c": "x"}]}"#])
        let text = try await Echo(service).generate.structuredJSON(schema: schema, from: "x")
        #expect(text == #"{"a":1,"list":[{},{"c":"x"}]}"#)
    }

    @Test("A schema that strict mode has no form for is sent as it is")
    func notStrict() async throws {
        let schema: JSONSchema = ["type": "object", "additionalProperties": ["type": "integer"]]
        let service = service([#"{"x":1}"#])
        #expect(try await Echo(service).generate.structuredJSON(schema: schema, from: "x") == #"{"x":1}"#)
        #expect(
            service.requests.first?.textFormat == .jsonSchema(name: "answer", schema: schema.json, isStrict: false))
    }
}
