// SPDX-License-Identifier: MIT

import FoundationEssentials
import StructuredJSON
import Testing

@Suite struct JSONValueTests {
    @Test func equalWhateverTheOrderAndTheSpelling() throws {
        let first = try JSONValue(parsing: #"{"a":1,"b":[1.0,"é"]}"#)
        let second: JSONValue = ["b": [1, "é"], "a": 1.0]
        #expect(first == second && first.hashValue == second.hashValue)
        #expect(first.sortedText == #"{"a":1,"b":[1.0,"é"]}"#)
        #expect(JSONValue.bool(true) != 1)
        // One character in two spellings is two JSON strings.
        #expect(JSONValue.string("e\u{301}") != "\u{E9}")
    }

    @Test func bridgedBothWays() throws {
        let value: JSONValue = ["a": [1, 2.5, "x", true, nil], "b": ["c": []]]
        #expect(try JSONValue(bridging: value.bridged) == value)
        let nested: [String: Any] = ["location": ["type": "string"], "count": 3 as UInt8]
        #expect(try JSONValue(bridging: nested) == ["location": ["type": "string"], "count": 3])
        struct Odd {}
        let error = try #require(throws: JSONBridgingError.self) { try JSONValue(bridging: ["a": [1, Odd()]]) }
        #expect(error.path == ["a", "1"])
    }

    @Test func codedByFoundation() throws {
        let value: JSONValue = ["a": [1, 2.5, "x", true, nil], "b": ["c": []]]
        let bytes = try JSONEncoder().encode(value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: bytes) == value)
        #expect(try JSONValue(parsing: Array(bytes)) == value)
    }

    @Test func anObjectKeepsItsOrderAndForgetsWhatIsRemoved() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = nil
        object["a"] = .null
        #expect(object.names == ["a", "c"] && object["a"] == .null && object["b"] == nil)
        for index in 0..<40 { object["k\(index)"] = .integer(index) }
        object["k5"] = nil
        #expect(object["k6"] == 6 && object["k5"] == nil && object.count == 41)
    }
}
