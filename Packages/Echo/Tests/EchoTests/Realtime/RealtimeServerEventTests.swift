// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit
import Testing

@testable import Echo

@Suite("Events of a voice session")
struct RealtimeServerEventTests {
    /// What is left out on purpose: constants, padding, and what an answer repeats of its request. Usage has a test of its own.
    private static let leftOut: Set<String> = ["type", "object", "status", "role", "name"]
    private static let echoed: Set<String> = [
        "max_output_tokens", "output_modalities", "audio", "usage", "obfuscation",
    ]

    @Test("Every kind that OpenAI's SDK knows, with its least and all its fields, keeps every text and number")
    func samples() async throws {
        let lines = try await RealtimeJudge.run("server_events.py")
        var types: Set<String> = []
        for line in lines {
            let json = try JSONValue(parsing: line)
            let event = try ServerEvent(json: json)
            if case .unknown = event.detail { Issue.record("unknown: \(line)") }
            #expect(event.id == json["event_id"]?.string)
            types.insert(json["type"]?.string ?? "")
            var kept = ""
            dump(event, to: &kept)
            for leaf in leaves(json) where !kept.contains(leaf) { Issue.record("\(leaf) is lost: \(line)\n\(kept)") }
        }
        #expect(types == Set(ServerEventTable.readers.keys))
        #expect(types.count == 46)
    }

    private func leaves(_ json: JSONValue, name: String = "") -> [String] {
        switch json {
        case .object(let object):
            object.flatMap { name, value -> [String] in
                if Self.leftOut.contains(name), value.string?.hasPrefix("text") != true { return [] }
                // Sound is bytes when it is read; the request's echo in an answer has it too.
                if Self.echoed.contains(name) { return [] }
                if name == "delta", object["type"]?.string == "response.output_audio.delta" { return [] }
                return leaves(value, name: name)
            }
        case .array(let values): values.flatMap { leaves($0, name: name) }
        case .string(let text): text.hasPrefix("text") ? [text] : []
        case .integer(let number): ["\(number)"]
        case .double(let number): ["\(number)"]
        case .null, .bool: []
        }
    }

    @Test("An event of a kind that is not known is kept as it came")
    func unknown() throws {
        let json: JSONValue = ["type": "response.hologram.delta", "event_id": "e", "beams": [1, 2]]
        let event = try ServerEvent(json: json)
        #expect(event.detail == .unknown(type: "response.hologram.delta", json) && event.id == "e")
    }

    @Test("Items and parts of kinds that are not known are kept as they came")
    func unknownInside() throws {
        let item: JSONValue = ["type": "dance", "id": "i", "steps": 3]
        let added: JSONValue = ["type": "conversation.item.added", "item": item, "previous_item_id": "p"]
        #expect(try ServerEvent(json: added).detail == .itemAdded(.unknown(type: "dance", item), at: .after("p")))
        let part: JSONValue = ["type": "smell", "rose": true]
        let message: JSONValue = ["type": "message", "role": "user", "content": [part]]
        #expect(
            try ResponseItem(json: message, in: .realtime)
                == .message(MessageItem(role: .user, content: [.unknown(type: "smell", part)])))
    }

    @Test("Where an item belongs: after another, first, or as the server says nothing, last")
    func places() throws {
        func place(_ json: JSONValue?) throws -> MessagePlace? {
            var object: JSONObject = ["type": "input_audio_buffer.committed", "item_id": "a"]
            object["previous_item_id"] = json
            guard case .inputAudioCommitted(_, let place) = try ServerEvent(json: .object(object)).detail else {
                return nil
            }
            return place
        }
        #expect(try place("b") == .after("b"))
        #expect(try place(.null) == .beginning)
        #expect(try place("root") == .beginning)
        #expect(try place(nil) == .end)
    }

    @Test("Sound is bytes, and what is no base64 is an error")
    func sound() throws {
        var object: JSONObject = [
            "type": "response.output_audio.delta", "response_id": "r", "item_id": "i", "output_index": 1,
            "content_index": 2, "delta": "AQL/",
        ]
        let place = AnswerPlace(responseID: "r", itemID: "i", outputIndex: 1, contentIndex: 2)
        #expect(try ServerEvent(json: .object(object)).detail == .audioDelta(place, [1, 2, 255]))
        object["delta"] = "AQL"
        #expect(throws: WireError.self) { try ServerEvent(json: .object(object)) }
    }

    @Test("An error names the client's event that it is about")
    func errors() throws {
        let json = try JSONValue(
            parsing: """
                {"type": "error", "event_id": "s", "error": {"type": "invalid_request_error", "code":
                "conversation_already_has_active_response", "message": "No.", "param": null, "event_id": "mine"}}
                """)
        guard case .error(let failure, let id) = try ServerEvent(json: json).detail else {
            Issue.record("no error")
            return
        }
        #expect(failure.code == "conversation_already_has_active_response")
        #expect(id == "mine")
    }

    @Test("No bytes crash it", arguments: 0..<20 as Range<UInt64>)
    func garbage(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var text = """
            {"type":"response.done","event_id":"e","response":{"id":"r","status":"failed","status_details":{"error":
            {"code":"c"}},"output":[{"type":"message","role":"assistant","content":[{"type":"output_audio","audio":"AQI="}]}],
            "usage":{"input_tokens":99999999999999999999,"output_tokens":-5,"input_token_details":{"audio_tokens":1e300}}}}
            """.utf8.map { $0 }
        _ = try? ServerEvent(parsing: String(decoding: text, as: UTF8.self))
        for _ in 0..<500 {
            var changed = text
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? ServerEvent(parsing: String(decoding: changed, as: UTF8.self))
        }
        text.removeLast()
        #expect(throws: (any Error).self) { try ServerEvent(parsing: String(decoding: text, as: UTF8.self)) }
    }

    @Test("Usage tells text, sound and pictures apart, and their shares of the cache")
    func usage() throws {
        let json = try JSONValue(
            parsing: """
                {"total_tokens": 253, "input_tokens": 132, "output_tokens": 121,
                 "input_token_details": {"text_tokens": 119, "audio_tokens": 13, "image_tokens": 0, "cached_tokens": 64,
                   "cached_tokens_details": {"text_tokens": 60, "audio_tokens": 4, "image_tokens": 0}},
                 "output_token_details": {"text_tokens": 30, "audio_tokens": 91}}
                """)
        let usage = try #require(Usage(json: json))
        #expect(usage[.text] == Usage(inputTokens: 119, cachedInputTokens: 60, outputTokens: 30))
        #expect(usage[.audio] == Usage(inputTokens: 13, cachedInputTokens: 4, outputTokens: 91))
        #expect(
            [usage.inputTokens, usage.cachedInputTokens, usage.outputTokens, usage.totalTokens] == [132, 64, 121, 253])
        #expect(Usage(json: ["input_tokens": 7, "output_tokens": 3])?[.text].totalTokens == 10)
        #expect(Usage(json: .null) == nil)
    }
}
