// SPDX-License-Identifier: MIT

import Echo
import Testing

@Suite("Tool")
struct ToolTests {
    @Test("Bare properties become an object which requires all of them and allows no others")
    func bareProperties() {
        let tool = Tool(
            name: "get_weather", description: "Weather",
            parameters: ["location": ["type": "string"], "days": ["type": "integer"]]
        ) { _ in "" }
        let expected: JSONSchema = [
            "type": "object", "properties": ["location": ["type": "string"], "days": ["type": "integer"]],
            "required": ["days", "location"], "additionalProperties": false,
        ]
        #expect(tool.schema == expected)
    }

    @Test("A schema stays as it is, and a property may be called type")
    func schemas() {
        let whole = Tool(
            name: "f", description: "", parameters: ["type": "object", "properties": ["a": ["type": "string"]]]
        ) { _ in "" }
        #expect(whole.schema == ["type": "object", "properties": ["a": ["type": "string"]]])
        let odd = Tool(
            name: "f", description: "",
            parameters: ["type": ["type": "string"], "properties": ["type": "object"], "anyOf": ["type": "null"]]
        ) { _ in "" }
        #expect(odd.schema.json["properties"]?["type"] == ["type": "string"])
        #expect(odd.schema.json["properties"]?["anyOf"] == ["type": "null"])
        let none = Tool(name: "f", description: "", parameters: [:]) { _ in "" }
        #expect(none.schema.json["properties"] == [:])
    }

    @Test("A type's schema is derived, and the handler gets the type")
    func typed() async throws {
        struct Place: Decodable { let city: String }
        let tool = Tool(name: "f", description: "", arguments: Place.self) { place in "in \(place.city)" }
        #expect(tool.schema.json["properties"]?["city"] == ["type": "string"])
        let call = ToolCall(id: "1", name: "f", arguments: #"{"city":"Bonn"}"#)
        #expect(try await ToolExecutor().execute([call]) { _ in tool }.first?.output == "in Bonn")
    }
}
