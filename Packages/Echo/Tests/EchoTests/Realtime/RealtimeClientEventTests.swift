// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import Echo

@Suite("Events to a voice session")
struct RealtimeClientEventTests {
    @Test("OpenAI's SDK takes every event, with any options, and knows every field")
    func judged() async throws {
        var lines: [String] = []
        for seed in 0..<100 as Range<UInt64> {
            var maker = RandomClientEvents(seed: seed)
            for event in maker.oneOfEach() {
                try event.validate()
                if case .sessionUpdate(let session) = event.detail { try session.validate(for: .openAI) }
                lines.append(event.json.text)
            }
        }
        let output = try await RealtimeJudge.run("client_events.py", lines: lines)
        #expect(output == ["\(lines.count)"])
        #expect(Set(lines.compactMap { try? JSONValue(parsing: $0)["type"]?.string }).count == 11)
    }

    @Test("The SDK's types do not take what is no event")
    func judgeJudges() async throws {
        for wrong: JSONValue in [
            ["type": "session.update", "session": ["type": "realtime", "modalities": ["audio"]]],
            ["type": "conversation.item.truncate", "item_id": "a", "content_index": 0],
            ["type": "session.update", "session": ["type": "realtime", "audio": ["input": ["format": "pcm16"]]]],
        ] {
            await #expect(throws: RealtimeJudge.Failure.self, "\(wrong)") {
                _ = try await RealtimeJudge.run("client_events.py", lines: [wrong.text])
            }
        }
    }

    @Test("The default session in full")
    func defaultSession() throws {
        let expected = try JSONValue(
            parsing: """
                {"type": "session.update", "event_id": "e1", "session": {
                  "type": "realtime", "output_modalities": ["audio"], "tools": [], "tool_choice": "auto",
                  "max_output_tokens": "inf",
                  "audio": {
                    "input": {
                      "format": {"type": "audio/pcm", "rate": 24000}, "transcription": {"model": "whisper-1"},
                      "turn_detection": {
                        "type": "server_vad", "threshold": 0.5, "silence_duration_ms": 500, "prefix_padding_ms": 300,
                        "create_response": false, "interrupt_response": false}},
                    "output": {"format": {"type": "audio/pcm", "rate": 24000}}}}}
                """)
        #expect(ClientEvent(.sessionUpdate(RealtimeSessionConfiguration()), id: "e1").json == expected)
    }

    @Test("Turn detection as the specification writes it")
    func turnDetection() {
        let automatic = TurnDetection.automatic(
            VADConfiguration(threshold: 0.5, silenceDuration: .milliseconds(500)))
        #expect(automatic.json["silence_duration_ms"] == 500)
        #expect(TurnDetection.automatic(.semantic(.high)).json["eagerness"] == "high")
        #expect(TurnDetection.automatic(.semantic()).json["threshold"] == nil)
        #expect(TurnDetection.manual.json == .null)
        #expect(TurnDetection.disabled.json == .null)
    }

    @Test("What the SDK's types let through and the server would refuse is refused here")
    func rules() {
        let refused: [ClientEvent] = [
            ClientEvent(.itemTruncate(id: "a", contentIndex: 0, audioEnd: 0)),
            ClientEvent(.itemTruncate(id: "a", contentIndex: -1, audioEnd: 5)),
            ClientEvent(.inputAudioAppend([])),
            ClientEvent(.inputAudioAppend([UInt8](repeating: 0, count: 15 << 20 + 1))),
            ClientEvent(.responseCreate(RealtimeResponseRequest(maximumOutputTokens: 0))),
            ClientEvent(.responseCreate(RealtimeResponseRequest(metadata: ["a": String(repeating: "b", count: 513)]))),
        ]
        for event in refused { #expect(throws: EchoError.self, "\(event.type)") { try event.validate() } }
        var sessions: [RealtimeSessionConfiguration] = []
        func add(_ change: (inout RealtimeSessionConfiguration) -> Void) {
            var session = RealtimeSessionConfiguration()
            change(&session)
            sessions.append(session)
        }
        add { $0.turnDetection = .automatic(VADConfiguration(threshold: 1.5)) }
        add { $0.turnDetection = .automatic(VADConfiguration(threshold: .nan)) }
        add { $0.turnDetection = .automatic(VADConfiguration(silenceDuration: .seconds(-1))) }
        add { $0.turnDetection = .automatic(VADConfiguration(idleTimeout: .seconds(60))) }
        add { $0.speed = 2 }
        add { $0.maximumOutputTokens = 5_000 }
        add { $0.tools = Array(repeating: .function(name: "a", description: nil, parameters: [:]), count: 2) }
        add { $0.transcription = RealtimeTranscription(model: TranscriptionModel(rawValue: "gpt-4")) }
        for session in sessions {
            #expect(throws: EchoError.self, "\(session)") { try session.validate(for: .openAI) }
        }
    }

    @Test("Durations of any size are milliseconds without a trap")
    func milliseconds() {
        #expect(Duration.microseconds(1_999).wholeMilliseconds == 1)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
    }
}
