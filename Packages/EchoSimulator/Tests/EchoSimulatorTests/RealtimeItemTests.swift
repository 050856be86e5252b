// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import EchoSimulator

/// The conversation of a session: order, sound and what was heard of it.
@Suite struct RealtimeItemTests {
    private static func create(_ id: String, after previous: String? = nil) -> JSONValue {
        var event: JSONObject = [
            "type": "conversation.item.create",
            "item": [
                "id": .string(id), "type": "message", "role": "user",
                "content": [["type": "input_text", "text": .string(id)]],
            ],
        ]
        event["previous_item_id"] = previous.map(JSONValue.string)
        return .object(event)
    }

    @Test func itemsStandWhereTheyArePut() {
        var table = RealtimeTable()
        let places = [("b", nil), ("d", nil), ("a", "root"), ("c", "b")]
        var previous: [JSONValue?] = []
        for (id, after) in places {
            let events = table.ask(Self.create(id, after: after))
            #expect(events.map(\.type) == ["conversation.item.added", "conversation.item.done"])
            #expect(events[0]["item"]?["id"] == .string(id))
            previous.append(events[0]["previous_item_id"])
        }
        #expect(previous == [.null, "b", .null, "b"])
        #expect(table.state.items.all.map(\.id) == ["a", "b", "c", "d"])
        #expect(table.ask(Self.create("b"))[0]["error"]?["code"] == "item_create_duplicate_item_id")
        let stray = table.ask(Self.create("e", after: "none"))[0]["error"]
        #expect(stray?["code"] == "item_create_invalid_previous_item_id")
        #expect(stray?["param"] == "previous_item_id")
        #expect(
            table.ask(["type": "conversation.item.delete", "item_id": "b"]).map(\.type)
                == ["conversation.item.deleted"])
        #expect(table.state.items.all.map(\.id) == ["a", "c", "d"])
    }

    @Test func soundThatIsPutInComesBack() {
        var table = RealtimeTable()
        let sound = SoundFormat.pcm.encode(ToneSpeech.samples(of: "Hello")[...])
        let events = table.ask([
            "type": "conversation.item.create",
            "item": [
                "id": "a", "type": "message", "role": "user",
                "content": [["type": "input_audio", "audio": .string(sound), "transcript": "Hello"]],
            ],
        ])
        #expect(events[0]["item"]?["content"]?[0]?["audio"] == nil)
        let back = table.ask(["type": "conversation.item.retrieve", "item_id": "a"])[0]["item"]?["content"]?[0]
        #expect(back?["audio"]?.string == sound)
        #expect(back?["transcript"] == "Hello")
        let answer = table.ask(["type": "response.create", "response": ["output_modalities": ["text"]]])
        #expect(answer.first { $0.type == "response.output_text.done" }?["text"] == "You said: “Hello” (1 word).")
    }

    @Test func truncationShortensWhatWasSaid() {
        var table = RealtimeTable(Scenario([.init(.message("Some words that take their time"))]))
        table.send(["type": "response.create"])
        guard let item = table.state.items.all.last else {
            Issue.record("no answer")
            return
        }
        let length = item.milliseconds
        func truncate(_ end: Int, part: Int = 0) -> JSONValue {
            [
                "type": "conversation.item.truncate", "item_id": .string(item.id), "content_index": .integer(part),
                "audio_end_ms": .integer(end),
            ]
        }
        let beyond = table.ask(truncate(length + 1))[0]["error"]
        #expect(beyond?["message"]?.string == "Audio content of \(length)ms is already shorter than \(length + 1)ms")
        #expect(beyond?["code"] == "invalid_value")
        #expect(table.ask(truncate(100, part: 1))[0].type == "error")
        let done = table.ask(truncate(250))
        #expect(done.map(\.type) == ["conversation.item.truncated"])
        #expect(done[0]["audio_end_ms"] == 250)
        #expect(table.state.items[item.id]?.milliseconds == 250)
        #expect(table.state.items[item.id]?.sound.count == 6_000)
        #expect(table.state.items[item.id]?.text == nil)
        #expect(table.ask(truncate(251))[0].type == "error")
        table.send(Self.create("mine"))
        let user = table.ask([
            "type": "conversation.item.truncate", "item_id": "mine", "content_index": 0, "audio_end_ms": 0,
        ])
        #expect(user[0]["error"]?["message"] == "Only model output audio messages can be truncated")
    }

    @Test func usageTellsModalitiesAndTheCacheApart() {
        var table = RealtimeTable()
        table.send(Self.create(String(repeating: "many words ", count: 60)))
        table.append(RealtimeTable.speech(milliseconds: 3_000) + RealtimeTable.silence(milliseconds: 600))
        table.append(RealtimeTable.speech(milliseconds: 3_000) + RealtimeTable.silence(milliseconds: 600))
        let usages = table.take().filter { $0.type == "response.done" }.map { $0["response"]?["usage"] }
        #expect(usages.count == 2)
        let (first, second) = (usages.first?.flatMap { $0 }, usages.last?.flatMap { $0 })
        #expect(first?["input_token_details"]?["cached_tokens"] == 0)
        let audio = second?["input_token_details"]?["audio_tokens"]?.integer ?? 0
        #expect(audio > (first?["input_token_details"]?["audio_tokens"]?.integer ?? 0) + 30)
        let cached = second?["input_token_details"]?["cached_tokens_details"]
        #expect((cached?["text_tokens"]?.integer ?? 0) >= 128)
        #expect(
            second?["input_token_details"]?["cached_tokens"]?.integer
                == (cached?["text_tokens"]?.integer ?? 0) + (cached?["audio_tokens"]?.integer ?? 0))
    }

    @Test func aMillisecondIsTheSameInEachFormat() {
        let samples = ToneSpeech.samples(of: "Formats")
        for format in [SoundFormat.pcm, .pcmu, .pcma] {
            let back = format.decode(format.encode(samples[...])) ?? []
            #expect(abs(back.count - samples.count) <= 2)
            let error = zip(samples, back).map { abs(Int($0) - Int($1)) }.max() ?? .max
            #expect(error < (format == .pcm ? 1 : 1_000))
        }
        #expect(SoundFormat.pcm.decode("AAAA") == nil)
        for byte in UInt8.min...UInt8.max {
            // µ-law has a second zero.
            if byte != 0x7F { #expect(G711.muLaw(from: G711.linear(fromMuLaw: byte)) == byte) }
            #expect(G711.aLaw(from: G711.linear(fromALaw: byte)) == byte)
        }
        #expect(G711.linear(fromMuLaw: 0x00) == -32_124)
        #expect(G711.linear(fromMuLaw: 0xFF) == 0)
        #expect(G711.linear(fromALaw: 0xD5) == 8)
        #expect(G711.linear(fromALaw: 0x2A) == -32_256)
    }
}
