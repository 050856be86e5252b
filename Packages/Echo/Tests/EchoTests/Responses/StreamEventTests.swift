// SPDX-License-Identifier: MIT

import Echo
import Testing

@Suite struct StreamEventTests {
    @Test func everyKindIsTypedAndKeepsItsName() throws {
        #expect(EventSamples.texts.count == 59)
        var names: Set<String> = []
        for text in EventSamples.texts {
            let event = try ResponseStreamEvent(parsing: text.utf8.span)
            if case .unknown = event.detail { Issue.record("unknown: \(text)") }
            let json = try JSONValue(parsing: text)
            #expect(event.type == json["type"]?.string)
            #expect(event.sequenceNumber == json["sequence_number"]?.integer)
            names.insert(event.type)
        }
        #expect(names.count == 59)
    }

    /// Each number and word of a sample is somewhere in the typed event.
    @Test(arguments: EventSamples.texts) func noFieldIsLost(text: String) throws {
        let json = try JSONValue(parsing: text)
        let event = try ResponseStreamEvent(json: json)
        var shown = ""
        dump(event, to: &shown)
        for (name, value) in json.object ?? [:] where name != "obfuscation" && name != "type" {
            for leaf in leaves(value) { #expect(shown.contains(leaf), "\(name) of \(event.type)") }
        }
    }

    private func leaves(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text.split(separator: "\n").first.map(String.init) ?? ""].filter { !$0.contains("\"") }
        case .integer(let number): ["\(number)"]
        case .array(let values): values.flatMap(leaves)
        case .object(let object): object.flatMap { $0.name == "type" ? [] : leaves($0.value) }
        default: []
        }
    }

    @Test func aDeltaHasItsPlace() throws {
        let text = """
            {"type":"response.output_text.delta","item_id":"msg_1","output_index":3,"content_index":2,"delta":"é",\
            "logprobs":[{"token":"é"}],"sequence_number":41}
            """
        let event = try ResponseStreamEvent(parsing: text.utf8.span)
        #expect(
            event
                == ResponseStreamEvent(
                    .outputTextDelta,
                    .text(TextEvent("é", itemID: "msg_1", outputIndex: 3, index: 2, logprobs: [["token": "é"]])),
                    sequenceNumber: 41))
    }

    @Test func anUnknownKindIsKeptAsItCame() throws {
        let text = #"{"type":"response.hologram.delta","depth":4,"sequence_number":7}"#
        let event = try ResponseStreamEvent(parsing: text.utf8.span)
        #expect(event.detail == .unknown(try JSONValue(parsing: text)))
        #expect(event.kind == nil)
        #expect(event.sequenceNumber == 7)
        #expect(event.type == "response.hologram.delta")
    }

    @Test func aKindThatOnlyTheStreamNamesIsRead() throws {
        let event = try ResponseStreamEvent(json: ["delta": "x"], type: "response.output_text.delta")
        #expect(event == ResponseStreamEvent(.outputTextDelta, .text(TextEvent("x"))))
    }

    @Test(arguments: [
        #"{"type":"response.output_text.delta"}"#, #"{"type":"response.output_text.delta","delta":7}"#,
        #"{"type":"response.created"}"#, #"{"type":"response.created","response":{}}"#,
        #"{"type":"response.output_item.done","item":[]}"#,
        #"{"type":"response.output_item.added","item":{"type":"function_call","name":"f"}}"#, "[1]", "7", "\"delta\"",
    ])
    func whatCannotDoWithoutIsMissed(text: String) {
        #expect(throws: WireError.self) { try ResponseStreamEvent(parsing: text.utf8.span) }
    }

    @Test(arguments: ["", "{", #"{"type":"response.created""#, "\u{1}", #"{"type":"error"}x"#])
    func whatIsNoJSONIsAnError(text: String) {
        #expect(throws: JSONParsingError.self) { try ResponseStreamEvent(parsing: text.utf8.span) }
    }

    @Test func hostileNumbersDoNotTrap() throws {
        let huge = #"{"type":"response.output_text.delta","delta":"x","output_index":-1,"content_index":1e300}"#
        guard case .text(let event) = try ResponseStreamEvent(parsing: huge.utf8.span).detail else {
            Issue.record("no delta")
            return
        }
        #expect(event.outputIndex == 0)
        let usage = #"{"id":"r","usage":{"input_tokens":9223372036854775807,"output_tokens":9223372036854775807}}"#
        let response = try Response(json: try JSONValue(parsing: usage))
        #expect(response.usage == Usage(inputTokens: 1 << 40, outputTokens: 1 << 40))
    }

    @Test func anErrorWithoutAKindIsAnError() throws {
        let event = try ResponseStreamEvent(parsing: #"{"error":{"message":"full","code":503}}"#.utf8.span)
        #expect(event == ResponseStreamEvent(.error, .error(APIFailure(code: "503", message: "full"))))
    }
}
