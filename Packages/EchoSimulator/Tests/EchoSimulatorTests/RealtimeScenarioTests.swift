// SPDX-License-Identifier: MIT

import StructuredJSON
import Testing

@testable import EchoSimulator

/// What a scenario makes of a session.
@Suite struct RealtimeScenarioTests {
    private static let transcription: JSONValue = [
        "type": "session.update",
        "session": ["type": "realtime", "audio": ["input": ["transcription": ["model": "whisper-1"]]]],
    ]
    private static let completed = "conversation.item.input_audio_transcription.completed"
    private static let failed = "conversation.item.input_audio_transcription.failed"

    /// The types of the events that a spoken turn brings, deltas left out.
    private static func speak(_ turn: Scenario.Turn, wait: Duration = .zero) -> [JSONValue] {
        var table = RealtimeTable(Scenario([turn]))
        table.send(transcription)
        _ = table.take()
        table.append(RealtimeTable.speech(milliseconds: 700) + RealtimeTable.silence(milliseconds: 600))
        table.wait(wait)
        return table.take().filter { !$0.type.hasSuffix(".delta") }
    }

    private static func spoken(_ speech: Scenario.Speech) -> [JSONValue] {
        speak(Scenario.Turn(.message("An answer"), speech: speech), wait: .seconds(1))
    }

    @Test func aTranscriptComesBeforeTheAnswerDuringItOrAfterIt() {
        let before = Self.spoken(.init(transcript: "Hi")).map(\.type)
        let created = before.firstIndex(of: "response.created") ?? 0
        #expect((before.firstIndex(of: Self.completed) ?? .max) < created)
        let during = Self.spoken(.init(transcript: "Hi", moment: .during)).map(\.type)
        let place = during.firstIndex(of: Self.completed) ?? .max
        #expect(place > (during.firstIndex(of: "response.content_part.added") ?? .max))
        #expect(place < (during.firstIndex(of: "response.done") ?? 0))
        let after = Self.spoken(.init(transcript: "Hi", moment: .after)).map(\.type)
        #expect((after.firstIndex(of: Self.completed) ?? 0) > (after.firstIndex(of: "response.done") ?? .max))
        for events in [before, during, after] { #expect(events.count(where: { $0 == Self.completed }) == 1) }
    }

    @Test func aDelayedTranscriptHoldsTheAnswerUp() {
        var table = RealtimeTable(
            Scenario([.init(.message("An answer"), speech: .init(transcript: "Hi", delay: .milliseconds(300)))]))
        table.send(Self.transcription)
        table.append(RealtimeTable.speech(milliseconds: 700) + RealtimeTable.silence(milliseconds: 600))
        #expect(table.types().last == "response.created")
        table.wait(.milliseconds(299))
        #expect(table.take().isEmpty)
        table.wait(.milliseconds(2))
        let types = table.types()
        #expect(types.dropFirst().first == Self.completed)
        #expect(types.contains("response.done"))
    }

    @Test func `an independent transcript and its answer do not wait for each other`() {
        let speech = Scenario.Speech(transcript: "Hi", moment: .independent, delay: .milliseconds(300))
        var table = RealtimeTable(Scenario([.init(.message("An answer"), speech: speech)]))
        table.send(Self.transcription)
        table.append(RealtimeTable.speech(milliseconds: 700) + RealtimeTable.silence(milliseconds: 600))
        #expect(table.types().contains("response.done"))
        table.wait(.milliseconds(299))
        #expect(table.take().isEmpty)
        table.wait(.milliseconds(2))
        #expect(table.types().last == Self.completed)
    }

    @Test func `sound in an item is transcribed if the session says so`() {
        let sound = SoundFormat.pcm.encode(RealtimeTable.speech(milliseconds: 500)[...])
        for transcribes in [true, false] {
            var table = RealtimeTable(
                Scenario([.init(speech: .init(transcript: "Hi", isItemLate: true))]),
                opening: .init(session: .init(transcribesItems: transcribes)))
            table.send(Self.transcription)
            let types = table.ask([
                "type": "conversation.item.create",
                "item": [
                    "type": "message", "role": "user", "content": [["type": "input_audio", "audio": .string(sound)]],
                ],
            ]).map(\.type)
            #expect(types.prefix(2) == ["conversation.item.added", "conversation.item.done"])
            #expect((types.last == Self.completed) == transcribes)
        }
    }

    @Test func `a request for an answer is refused with its event's id`() {
        var table = RealtimeTable(
            Scenario([.init(faults: [.refuse(code: "inference_rate_limited", message: "Later.")]), .init()]))
        let refused = table.ask(["type": "response.create", "event_id": "mine"])
        #expect(refused.map(\.type) == ["error"])
        #expect(refused.first?["error"]?["code"] == "inference_rate_limited")
        #expect(refused.first?["error"]?["event_id"] == "mine")
        #expect(table.ask(["type": "response.create"]).first?.type == "response.created")
    }

    @Test func `the pace says how much sound an event has`() {
        for milliseconds in [50, 400] {
            let pace = Scenario.Pace(sound: .milliseconds(milliseconds))
            var table = RealtimeTable(Scenario([.init(.message("One two three four five six"), pace: pace)]))
            let pieces = table.ask(["type": "response.create"]).filter { $0.type == "response.output_audio.delta" }
            let first = pieces.first?["delta"]?.string.flatMap(SoundFormat.pcm.decode)
            #expect(first?.count == milliseconds * 24)
        }
    }

    @Test func `a cue replaces what the service does, or adds to it`() {
        let create: JSONValue = ["type": "response.create"]
        var table = RealtimeTable(
            opening: .init(
                session: .init(cues: [
                    .init(when: create), .init(when: create, say: [["type": "one"]], after: .milliseconds(50)),
                    .init(
                        when: ["type": "input_audio_buffer.clear"], say: [["type": "two"]], times: 2, replaces: false),
                ])))
        #expect(table.ask(create) == [.null])
        #expect(table.ask(create) == [.null])
        table.wait(.milliseconds(49))
        #expect(table.take().isEmpty)
        table.wait(.milliseconds(1))
        #expect(table.types() == ["one"])
        #expect(table.ask(create).first?.type == "response.created")
        let counts = (0..<3).map { _ in table.ask(["type": "input_audio_buffer.clear"]).map(\.type) }
        let cleared = "input_audio_buffer.cleared"
        #expect(counts == [[cleared, "two"], [cleared, "two"], [cleared]])
    }

    @Test func `an answer ends later than its last delta`() {
        var table = RealtimeTable(Scenario([.init(.message("Hi"), pace: .init(lastDelay: .seconds(9)))]))
        let first = table.ask(["type": "response.create"]).map(\.type)
        #expect(first.last?.hasSuffix(".delta") == true)
        table.wait(.seconds(8))
        #expect(table.take().isEmpty)
        #expect(table.ask(["type": "response.cancel"]).contains { $0["response"]?["status"] == "cancelled" })
    }

    @Test func transcriptsFailAreMissingOrComeTwice() {
        let failed = Self.spoken(.init(transcript: "Hi", outcome: .failed))
        let event = failed.first { $0.type == Self.failed }
        #expect(event?["error"]?["code"] == "audio_unintelligible")
        let missing = Self.spoken(.init(transcript: "Hi", outcome: .missing))
        let double = Self.spoken(.init(transcript: "Hi", outcome: .duplicate))
        let counts = [failed, missing, double].map { $0.count(where: { $0.type == Self.completed }) }
        #expect(counts == [0, 0, 2])
        for events in [failed, missing, double] { #expect(events.contains { $0.type == "response.done" }) }
    }

    @Test func whatWasSaidIsAnsweredEvenWithoutATranscript() {
        let turn = Scenario.Turn(.transcript("What is it"))
        let events = Self.speak(turn)
        let said = events.first { $0.type == "response.output_audio_transcript.done" }?["transcript"]
        #expect(said == "You said: “What is it” (3 words).")
    }

    @Test func aLateItemIsAnnouncedAfterTheAnswersFirst() {
        let events = Self.spoken(.init(transcript: "Hi", isItemLate: true))
        let added = events.filter { $0.type == "conversation.item.added" }
        #expect(added.map { $0["item"]?["role"] } == ["assistant", "user"])
        #expect(added.first?["previous_item_id"] == added.last?["item"]?["id"])
    }

    @Test func itemsOfAnAnswerCanComeInTurns() {
        let items: [Scenario.Item] = [
            .message("One two three"), .functionCall(name: "f", arguments: #"{"a":"bcdefghijklmn"}"#),
        ]
        for isInterleaved in [true, false] {
            var table = RealtimeTable(
                Scenario([.init(.answer(.init(items: items, isInterleaved: isInterleaved)))]))
            let events = table.ask(["type": "response.create", "response": ["output_modalities": ["text"]]])
            let first = events.filter { $0.type == "response.output_item.done" }.map { $0["output_index"]?.integer }
            #expect(first == (isInterleaved ? [1, 0] : [0, 1]))
            let done = events.first { $0.type == "response.done" }?["response"]?["output"]?.array
            #expect(done?.count == 2)
            #expect(done?[1]["arguments"] == #"{"a":"bcdefghijklmn"}"#)
        }
    }

    @Test func answersFailStopShortOrAreGivenUp() {
        func done(_ turn: Scenario.Turn) -> JSONValue? {
            var table = RealtimeTable(Scenario([turn]))
            return table.ask(["type": "response.create"]).first { $0.type == "response.done" }?["response"]
        }
        let limited = done(.init(.answer(.init(status: .failed(code: "rate_limit_exceeded", message: "Later.")))))
        #expect(limited?["status"] == "failed")
        #expect(limited?["status_details"]?["error"]?["code"] == "rate_limit_exceeded")
        let short = done(
            .init(.answer(.init(items: [.message("And")], status: .incomplete(reason: "max_output_tokens")))))
        #expect(short?["status_details"] == ["type": "incomplete", "reason": "max_output_tokens"])
        let givenUp = done(.init(.message("One two three four"), faults: [.cancel(afterEvents: 6)]))
        #expect(givenUp?["status_details"] == ["type": "cancelled", "reason": "turn_detected"])
        #expect(givenUp?["output"]?[0]?["status"] == "incomplete")
        let counted = done(.init(.answer(.init(usage: .init(input: 200, cached: 128, output: 7, outputAudio: 5)))))
        #expect(counted?["usage"]?["output_token_details"] == ["text_tokens": 2, "audio_tokens": 5])
        #expect(counted?["usage"]?["input_token_details"]?["cached_tokens"] == 128)
        #expect(counted?["usage"]?["total_tokens"] == 207)
    }

    @Test func eventsCanComeWordForWord() {
        let own: JSONValue = ["type": "mcp_list_tools.failed", "item_id": "i"]
        var table = RealtimeTable(Scenario([.init(.events([own]))]))
        let events = table.ask(["type": "response.create"])
        #expect(events.map(\.type) == ["response.created", "mcp_list_tools.failed"])
        #expect(events.last?["event_id"]?.string != nil)
        // And the session can answer again.
        #expect(table.ask(["type": "response.create"]).last?.type == "rate_limits.updated")
    }

    @Test func faultsComeAtTheirPlaces() {
        func frames(_ fault: Scenario.Fault) -> [RealtimeFrame] {
            var table = RealtimeTable(Scenario([.init(.message("Hi"), faults: [fault])]))
            let before = table.frames.count
            table.send(["type": "response.create", "response": ["output_modalities": ["text"]]])
            table.wait(.seconds(1))
            return Array(table.frames.dropFirst(before))
        }
        let all = frames(.contentType("none"))
        #expect(all.count == 11)
        for place in 0...10 {
            let cut = frames(.cut(afterEvents: place))
            #expect(cut.count == place + 1 && cut.last == .cut)
            #expect(cut.prefix(place) == all.prefix(place))
            #expect(frames(.close(afterEvents: place, code: 1012, reason: "r")).last == .close(1012, "r"))
            #expect(frames(.close(afterEvents: place, code: 1006)).last == .cut)
            #expect(frames(.end(afterEvents: place)).last == .close(1000, ""))
            let expired = frames(.expire(afterEvents: place))
            #expect(expired.count == place + 2)
            #expect(frames(.stall(afterEvents: place)).dropFirst(place).first == .stall)
            #expect(frames(.malformed(atEvent: place, data: "{")).dropFirst(place).first == .text("{"))
            let doubled = frames(.duplicate(atEvent: place))
            #expect(doubled.count == 12 && doubled[place] == doubled[place + 1])
            #expect(frames(.binary(atEvent: place, count: 3)).dropFirst(place).first == .binary([0, 37, 74]))
            #expect(
                frames(.unknownEvent(atEvent: place, ["type": "x"])).dropFirst(place).first == .text(#"{"type":"x"}"#))
        }
    }

    @Test func aScenariosFileHasItAll() throws {
        let text = """
            {"turns": [
              {"session": {"expires_after_ms": 5000, "rate_limits": [{"name": "tokens", "remaining": 0}],
                           "transcribes_items": true,
                           "cues": [{"when": {"type": "x"}, "say": [{"type": "y"}], "after_ms": 5, "times": "any",
                                     "replaces": false}]},
               "faults": [{"close": {"after_events": 9, "code": 1013, "reason": "busy"}}]},
              {"speech": "Hello", "answer": {"items": [{"message": "Hi"}], "interleaved": true},
               "pace": {"sound_ms": 40, "last_delay_ms": 7}},
              {"speech": {"transcript": "Bye", "moment": "after", "delay_ms": 20, "outcome": "failed", "late_item": true},
               "faults": [{"cancel": {"after_events": 3}}, {"binary": {"at_event": 1}}, {"expire": {"after_events": 4}},
                          {"refuse": {"code": "busy"}}]}
            ]}
            """
        let scenario = try Scenario(parsing: Array(text.utf8))
        #expect(
            scenario.turns[0].session
                == .init(
                    expiresAfter: .seconds(5), rateLimits: [["name": "tokens", "remaining": 0]], transcribesItems: true,
                    cues: [
                        .init(
                            when: ["type": "x"], say: [["type": "y"]], after: .milliseconds(5), times: .max,
                            replaces: false)
                    ]))
        #expect(scenario.turns[0].faults == [.close(afterEvents: 9, code: 1013, reason: "busy")])
        #expect(scenario.turns[1].speech == .init(transcript: "Hello"))
        #expect(scenario.turns[1].pace == .init(sound: .milliseconds(40), lastDelay: .milliseconds(7)))
        let last = Scenario.Speech(
            transcript: "Bye", moment: .after, delay: .milliseconds(20), outcome: .failed, isItemLate: true)
        #expect(scenario.turns[2].speech == last)
        #expect(
            scenario.turns[2].faults == [
                .cancel(afterEvents: 3), .binary(atEvent: 1, count: 16), .expire(afterEvents: 4),
                .refuse(code: "busy"),
            ])
        for (wrong, path) in [
            (#"{"turns": [{"speech": {"moment": "soon"}}]}"#, "turns[0].speech.moment"),
            (#"{"turns": [{"session": {"expires": 1}}]}"#, "turns[0].session.expires"),
            (#"{"turns": [{"faults": [{"close": {"after_events": 1, "code": 7}}]}]}"#, "turns[0].faults[0].close.code"),
        ] {
            let error = #expect(throws: ScenarioError.self) { try Scenario(parsing: Array(wrong.utf8)) }
            #expect(error?.path == path)
        }
    }
}
