// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import EchoSimulator

/// Events that the API refuses, with what it says.
@Suite struct RealtimeValidationTests {
    private static func update(_ session: JSONObject) -> JSONValue {
        var whole: JSONObject = ["type": "realtime"]
        for (name, value) in session { whole[name] = value }
        return ["type": "session.update", "session": .object(whole)]
    }

    private static func item(_ item: JSONValue) -> JSONValue { ["type": "conversation.item.create", "item": item] }

    private static func answer(_ response: JSONValue) -> JSONValue {
        ["type": "response.create", "response": response]
    }

    @Test(
        arguments: [
            (["type": "session.dance"], "invalid_value", "type"),
            (["session": [:]], "missing_required_parameter", "type"),
            (["type": "session.update"], "missing_required_parameter", "session"),
            (["type": "session.update", "session": ["voice": "marin"]], "missing_required_parameter", "session.type"),
            (update(["voice": "marin"]), "unknown_parameter", "session.voice"),
            (update(["turn_detection": nil]), "unknown_parameter", "session.turn_detection"),
            (update(["output_modalities": ["audio", "text"]]), "invalid_value", "session.output_modalities"),
            (update(["output_modalities": ["smell"]]), "invalid_value", "session.output_modalities[0]"),
            (update(["max_output_tokens": 5000]), "integer_above_max_value", "session.max_output_tokens"),
            (update(["model": "gpt-realtime-mini"]), "invalid_value", "session.model"),
            (
                update(["audio": ["input": ["format": ["type": "audio/pcm", "rate": 16_000]]]]),
                "integer_below_min_value", "session.audio.input.format.rate"
            ),
            (
                update(["audio": ["input": ["turn_detection": ["type": "server_vad", "threshold": 1.5]]]]),
                "decimal_above_max_value", "session.audio.input.turn_detection.threshold"
            ),
            (
                update(["audio": ["input": ["turn_detection": ["type": "semantic_vad", "threshold": 0.5]]]]),
                "unknown_parameter", "session.audio.input.turn_detection.threshold"
            ),
            (
                update(["audio": ["input": ["turn_detection": ["type": "server_vad", "idle_timeout_ms": 1]]]]),
                "integer_below_min_value", "session.audio.input.turn_detection.idle_timeout_ms"
            ),
            (update(["audio": ["output": ["speed": 2]]]), "decimal_above_max_value", "session.audio.output.speed"),
            (update(["tools": [["type": "function"]]]), "missing_required_parameter", "session.tools[0].name"),
            (["type": "input_audio_buffer.append"], "missing_required_parameter", "audio"),
            (["type": "input_audio_buffer.append", "audio": "no base64"], "invalid_value", "audio"),
            (["type": "input_audio_buffer.append", "audio": "AAAA"], "invalid_value", "audio"),
            (["type": "input_audio_buffer.commit"], "input_audio_buffer_commit_empty", nil),
            (["type": "output_audio_buffer.clear"], "invalid_value", "type"),
            (item(["type": "message", "role": "user"]), "missing_required_parameter", "item.content"),
            (
                item(["type": "message", "role": "user", "content": [["type": "output_text", "text": "x"]]]),
                "invalid_value", "item.content[0].type"
            ),
            (
                item(["type": "message", "role": "assistant", "content": [["type": "input_text", "text": "x"]]]),
                "invalid_value", "item.content[0].type"
            ),
            (
                item(["type": "message", "role": "assistant", "content": [["type": "output_audio", "audio": "AAA="]]]),
                "invalid_value", "item.content[0].type"
            ),
            (
                item(["type": "message", "role": "system", "content": [["type": "input_audio", "audio": "AAA="]]]),
                "invalid_value", "item.content[0].type"
            ),
            (
                item(["type": "message", "role": "user", "content": [["type": "input_audio", "audio": "A"]]]),
                "invalid_value", "item.content[0].audio"
            ),
            (
                item(["type": "function_call_output", "call_id": "none", "output": "x"]), "invalid_tool_call_id",
                "item.call_id"
            ),
            (item(["type": "item_reference", "id": "x"]), "invalid_value", "item.type"),
            (["type": "conversation.item.retrieve", "item_id": "x"], "item_retrieve_invalid_item_id", "item_id"),
            (["type": "conversation.item.delete", "item_id": "x"], "item_delete_invalid_item_id", "item_id"),
            (
                ["type": "conversation.item.truncate", "item_id": "x", "content_index": 0, "audio_end_ms": 1],
                "item_truncate_invalid_item_id", "item_id"
            ),
            (
                ["type": "conversation.item.truncate", "item_id": "x", "content_index": 0],
                "missing_required_parameter", "audio_end_ms"
            ),
            (answer(["modalities": ["text"]]), "unknown_parameter", "response.modalities"),
            (answer(["output_modalities": ["text", "audio"]]), "invalid_value", "response.output_modalities"),
            (answer(["metadata": ["a": 1]]), "invalid_type", "response.metadata.a"),
            (answer(["input": [["type": "item_reference", "id": "x"]]]), "item_not_found", "response.input[0].id"),
            (["type": "response.cancel"], "response_cancel_not_active", nil),
            (["type": "response.cancel", "response_id": "resp_x"], "response_cancel_not_active", nil),
        ] as [(JSONValue, String, String?)])
    func refusals(event: JSONValue, code: String, param: String?) {
        var table = RealtimeTable()
        var named = event.object ?? [:]
        named["event_id"] = "mine"
        let answers = table.ask(.object(named))
        #expect(answers.map(\.type) == ["error"])
        let error = answers.first?["error"]
        #expect(error?["code"]?.string == code, "\(error?.text ?? "")")
        #expect(error?["param"]?.string == param)
        #expect(error?["event_id"] == "mine")
        #expect(error?["type"] == "invalid_request_error")
        #expect(error?["message"]?.string?.isEmpty == false)
        // The session goes on.
        #expect(table.ask(Self.update([:])).map(\.type) == ["session.updated"])
    }

    @Test(arguments: ["", "{", "[]", "7", "null", "\"text\""]) func whatIsNoObject(text: String) {
        var table = RealtimeTable()
        table.state.receive(text, at: .zero)
        table.wait(.zero)
        #expect(table.take().last?["error"]?["code"] == "invalid_json")
        table.state.receiveBinary(at: .zero)
        table.wait(.zero)
        #expect(table.take().last?["error"]?["code"] == "invalid_message")
    }

    @Test func anUpdateChangesWhatItNames() {
        var table = RealtimeTable()
        let first = table.take().first?["session"]
        let updated = table.ask(
            Self.update([
                "instructions": "Be kind.", "output_modalities": ["text"],
                "audio": [
                    "input": ["turn_detection": ["type": "server_vad", "threshold": 0.7]], "output": ["voice": "cedar"],
                ],
            ]))[0]["session"]
        #expect(updated?["instructions"] == "Be kind.")
        #expect(updated?["audio"]?["output"]?["voice"] == "cedar")
        #expect(updated?["audio"]?["output"]?["format"] == first?["audio"]?["output"]?["format"])
        let detection = updated?["audio"]?["input"]?["turn_detection"]
        #expect(detection?["threshold"] == 0.7)
        #expect(detection?["silence_duration_ms"] == 500)
        for name in ["id", "model", "tools", "truncation", "expires_at"] { #expect(updated?[name] == first?[name]) }
    }

    @Test func theVoiceStaysOnceItWasHeard() {
        var table = RealtimeTable()
        let voice = Self.update(["audio": ["output": ["voice": "cedar"]]])
        #expect(table.ask(voice).map(\.type) == ["session.updated"])
        table.send(["type": "response.create"])
        #expect(table.ask(voice).map(\.type) == ["session.updated"])
        let other = table.ask(Self.update(["audio": ["output": ["voice": "marin"]]]))
        #expect(other[0]["error"]?["code"] == "cannot_update_voice")
    }

    @Test func aTranscriptionSessionHearsAndDoesNotAnswer() {
        var table = RealtimeTable()
        let update: JSONValue = [
            "type": "session.update",
            "session": [
                "type": "transcription", "audio": ["input": ["transcription": ["model": "gpt-4o-transcribe"]]],
            ],
        ]
        #expect(table.ask(update)[0]["session"]?["type"] == "transcription")
        table.append(RealtimeTable.speech(milliseconds: 700) + RealtimeTable.silence(milliseconds: 700))
        let types = table.types()
        #expect(types.last == "conversation.item.input_audio_transcription.completed")
        #expect(!types.contains("response.created"))
        #expect(table.ask(["type": "response.create"])[0].type == "error")
    }

    @Test func otherServersTakeMore() {
        var setup = RealtimeSessionState.Setup()
        setup.isStrict = false
        var state = RealtimeSessionState(setup)
        _ = state.takeFrames()
        state.receive(#"{"type":"session.update","session":{"type":"realtime","mood":"good"}}"#, at: .zero)
        guard case .text(let text)? = state.takeFrames().first else {
            Issue.record("no event")
            return
        }
        #expect(text.contains("session.updated"))
    }
}
