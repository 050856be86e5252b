// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit
import Testing

@testable import EchoSimulator

/// A session's events in their order, without a connection.
@Suite struct RealtimeStateTests {
    private static let text: JSONValue = [
        "type": "conversation.item.create",
        "item": ["type": "message", "role": "user", "content": [["type": "input_text", "text": "Hello there"]]],
    ]
    private static let manual: JSONValue = [
        "type": "session.update",
        "session": [
            "type": "realtime",
            "audio": ["input": ["turn_detection": nil, "transcription": ["model": "whisper-1"]]],
        ],
    ]

    @Test func anAnswerInSoundHasTheAPIsOrder() {
        var table = RealtimeTable()
        #expect(table.types() == ["session.created", "conversation.created"])
        table.send(Self.text)
        #expect(table.types() == ["conversation.item.added", "conversation.item.done"])
        table.send(["type": "response.create", "response": ["metadata": ["topic": "greeting"]]])
        let events = table.take()
        var types = events.map(\.type)
        #expect(types.count(where: { $0 == "response.output_audio.delta" }) > 3)
        let deltas: Set = ["response.output_audio.delta", "response.output_audio_transcript.delta"]
        #expect(events.first { deltas.contains($0.type) }?.type == "response.output_audio_transcript.delta")
        types.removeAll { deltas.contains($0) }
        #expect(
            types == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.content_part.added", "response.output_audio.done", "response.output_audio_transcript.done",
                "response.content_part.done", "response.output_item.done", "conversation.item.done", "response.done",
                "rate_limits.updated",
            ])
        let response = events.first { $0.type == "response.done" }?["response"]
        #expect(response?["status"] == "completed")
        #expect(response?["metadata"] == ["topic": "greeting"])
        let said = response?["output"]?[0]?["content"]?[0]?["transcript"]
        #expect(said == "You said: “Hello there” (2 words).")
        let words = events.filter { $0.type == "response.output_audio_transcript.delta" }.compactMap {
            $0["delta"]?.string
        }
        #expect(words.joined() == said?.string)
        let usage = response?["usage"]
        #expect((usage?["output_token_details"]?["audio_tokens"]?.integer ?? 0) > 10)
        #expect(
            usage?["total_tokens"]?.integer
                == (usage?["input_tokens"]?.integer ?? 0) + (usage?["output_tokens"]?.integer ?? 0))
    }

    @Test func textComesAsText() {
        var table = RealtimeTable(Scenario([.init(.message("Two words"))]))
        table.send(Self.text)
        _ = table.take()
        table.send(["type": "response.create", "response": ["output_modalities": ["text"]]])
        #expect(
            table.types() == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.content_part.added", "response.output_text.delta", "response.output_text.delta",
                "response.output_text.done", "response.content_part.done", "response.output_item.done",
                "conversation.item.done", "response.done", "rate_limits.updated",
            ])
    }

    @Test func functionsAreCalledAndTheirResultsTold() {
        var table = RealtimeTable()
        let tool: JSONValue = [
            "type": "function", "name": "get_weather",
            "parameters": ["type": "object", "properties": ["location": ["type": "string"]], "required": ["location"]],
        ]
        table.send([
            "type": "session.update",
            "session": ["type": "realtime", "output_modalities": ["text"], "tools": [tool]],
        ])
        table.send([
            "type": "conversation.item.create",
            "item": [
                "type": "message", "role": "user",
                "content": [["type": "input_text", "text": "Please get_weather in Paris"]],
            ],
        ])
        let events = table.ask(["type": "response.create"])
        let call = events.first { $0.type == "response.output_item.done" }?["item"]
        #expect(call?["name"] == "get_weather")
        #expect(call?["arguments"] == #"{"location":"Paris"}"#)
        let types = events.map(\.type).filter { $0 != "response.function_call_arguments.delta" }
        #expect(
            types == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.function_call_arguments.done", "response.output_item.done", "conversation.item.done",
                "response.done", "rate_limits.updated",
            ])
        table.send([
            "type": "conversation.item.create",
            "item": ["type": "function_call_output", "call_id": call?["call_id"] ?? "", "output": "Rain"],
        ])
        let answer = table.ask(["type": "response.create"]).first { $0.type == "response.output_text.done" }
        #expect(answer?["text"] == "get_weather answered: Rain")
    }

    @Test func speechIsFoundCommittedTranscribedAndAnswered() throws {
        var table = RealtimeTable()
        table.send([
            "type": "session.update",
            "session": ["type": "realtime", "audio": ["input": ["transcription": ["model": "whisper-1"]]]],
        ])
        table.send(Self.text)
        let before = table.take().last?["item"]?["id"]
        table.append(RealtimeTable.silence(milliseconds: 500))
        table.append(RealtimeTable.speech(milliseconds: 1_000))
        #expect(table.types() == ["input_audio_buffer.speech_started"])
        table.append(RealtimeTable.silence(milliseconds: 600))
        let events = table.take()
        #expect(
            events.map(\.type).prefix(7) == [
                "input_audio_buffer.speech_stopped", "input_audio_buffer.committed", "conversation.item.added",
                "conversation.item.done", "response.created",
                "conversation.item.input_audio_transcription.delta",
                "conversation.item.input_audio_transcription.completed",
            ])
        try #require(events.count > 6)
        let started = table.events.first { $0.type == "input_audio_buffer.speech_started" }
        #expect(started?["audio_start_ms"] == 200)
        let end = events[0]["audio_end_ms"]?.integer ?? 0
        #expect((1_900...2_100).contains(end))
        #expect(events[1]["previous_item_id"] == before)
        #expect(Set([started, events[0], events[1], events[5]].map { $0?["item_id"] }).count == 1)
        #expect(events.last?.type == "rate_limits.updated")
        #expect(events[6]["usage"]?["seconds"] == 2)
    }

    @Test func silenceAndClicksAreNoSpeech() {
        var table = RealtimeTable()
        _ = table.take()
        var clicks = RealtimeTable.silence(milliseconds: 3_000)
        for place in stride(from: 0, to: clicks.count, by: 12_000) { clicks[place] = .max }
        table.append(clicks)
        // Hiss at -50 dBFS.
        var random = SeededGenerator(seed: 3)
        table.append((0..<72_000).map { _ in Int16.random(in: -180...180, using: &random) })
        #expect(table.take().isEmpty)
    }

    @Test(arguments: [0.1, 0.5, 0.9]) func theThresholdAndDurationsCount(threshold: Double) {
        var settings = TurnDetector.Settings(threshold: threshold, prefixPadding: 100, silence: 300)
        // A tone of about -46, -30 and -14 dBFS.
        func events(_ level: Double) -> [TurnDetector.Event] {
            var detector = TurnDetector(settings)
            let tone = ToneSpeech.samples(of: "loudspeaking").map { Int16(Double($0) * level) }
            return detector.append(
                RealtimeTable.silence(milliseconds: 400) + tone + RealtimeTable.silence(milliseconds: 800))
        }
        let levels = [0.03, 0.2, 1.2]
        let heard = levels.map { !events($0).isEmpty }
        #expect(heard == [threshold < 0.3, threshold < 0.7, true])
        let first = events(1.2)
        #expect(first.count == 2)
        guard case .started(let start)? = first.first, case .stopped(let stop)? = first.last else {
            Issue.record("\(first)")
            return
        }
        #expect((300...340).contains(start))
        settings.silence = 600
        #expect(events(1.2).last == .stopped(at: stop + 300))
    }

    @Test func withoutDetectionTheClientCommits() {
        var table = RealtimeTable()
        table.send(Self.manual)
        _ = table.take()
        table.append(RealtimeTable.speech(milliseconds: 50))
        let empty = table.ask(["type": "input_audio_buffer.commit", "event_id": "mine"])
        #expect(empty[0]["error"]?["code"] == "input_audio_buffer_commit_empty")
        #expect(empty[0]["error"]?["event_id"] == "mine")
        table.append(RealtimeTable.speech(milliseconds: 950))
        #expect(table.take().isEmpty)
        table.send(["type": "input_audio_buffer.commit"])
        let types = table.types()
        #expect(types.first == "input_audio_buffer.committed")
        #expect(!types.contains("response.created"))
        #expect(table.state.items.all.last?.milliseconds == 1_000)
        table.append(RealtimeTable.speech(milliseconds: 500))
        #expect(table.ask(["type": "input_audio_buffer.clear"]).map(\.type) == ["input_audio_buffer.cleared"])
        #expect(table.ask(["type": "input_audio_buffer.commit"])[0].type == "error")
    }

    @Test func createResponseAndInterruptResponseCount() {
        var scenario = Scenario([.init(.message("One two three four five six"), pace: .init(delay: .milliseconds(50)))])
        scenario.turns.append(.init(.message("Second")))
        for interrupts in [true, false] {
            var table = RealtimeTable(scenario)
            table.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "audio": [
                        "input": [
                            "turn_detection": [
                                "type": "server_vad", "create_response": false,
                                "interrupt_response": .bool(interrupts),
                            ]
                        ]
                    ],
                ],
            ])
            table.send(Self.text)
            table.send(["type": "response.create"])
            table.wait(.milliseconds(300))
            _ = table.take()
            table.append(RealtimeTable.speech(milliseconds: 400))
            let types = table.types()
            #expect(types.first == "input_audio_buffer.speech_started")
            #expect(types.contains("response.done") == interrupts)
            if interrupts {
                let done = table.events.last { $0.type == "response.done" }?["response"]
                #expect(done?["status"] == "cancelled")
                #expect(done?["status_details"] == ["type": "cancelled", "reason": "turn_detected"])
                #expect(done?["output"]?[0]?["status"] == "incomplete")
            }
            table.append(RealtimeTable.silence(milliseconds: 700))
            #expect(!table.types().contains("response.created"))
        }
    }

    @Test func theSemanticDetectorWaitsAsItsEagernessSays() {
        var ends: [Int] = []
        for eagerness in ["high", "auto", "low"] {
            var table = RealtimeTable()
            table.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "audio": [
                        "input": ["turn_detection": ["type": "semantic_vad", "eagerness": .string(eagerness)]]
                    ],
                ],
            ])
            table.append(RealtimeTable.speech(milliseconds: 700) + RealtimeTable.silence(milliseconds: 2_000))
            ends += table.events.compactMap { $0["audio_end_ms"]?.integer }
        }
        #expect(ends.count == 3)
        #expect(ends == ends.sorted() && Set(ends).count == 3)
    }

    @Test func anIdleUserIsATurnOfItsOwn() {
        var table = RealtimeTable()
        table.send([
            "type": "session.update",
            "session": [
                "type": "realtime",
                "audio": ["input": ["turn_detection": ["type": "server_vad", "idle_timeout_ms": 6000]]],
            ],
        ])
        table.send(Self.text)
        table.send(["type": "response.create"])
        let length = table.state.items.all.last?.milliseconds ?? 0
        _ = table.take()
        table.wait(.milliseconds(length + 5_999))
        #expect(table.take().isEmpty)
        table.wait(.milliseconds(2))
        #expect(table.types().prefix(2) == ["input_audio_buffer.timeout_triggered", "input_audio_buffer.committed"])
        #expect(table.events.last?.type == "rate_limits.updated")
    }

    @Test func theSessionExpires() {
        var table = RealtimeTable(opening: .init(session: .init(expiresAfter: .seconds(90))))
        table.wait(.seconds(89))
        #expect(table.types().count == 2)
        table.wait(.seconds(2))
        #expect(table.take().first?["error"]?["code"] == "session_expired")
        #expect(table.frames.last == .close(1001, "Your session hit the maximum duration of 60 minutes."))
        table.send(Self.text)
        #expect(table.take().isEmpty)
    }

    @Test func theSameSeedMakesTheSameEvents() {
        func frames(_ seed: UInt64) -> [RealtimeFrame] {
            var table = RealtimeTable(seed: seed)
            table.send(Self.text)
            table.send(["type": "response.create"])
            table.append(RealtimeTable.speech(milliseconds: 800) + RealtimeTable.silence(milliseconds: 800))
            return table.frames
        }
        #expect(frames(7) == frames(7))
        #expect(frames(7) != frames(8))
    }
}
