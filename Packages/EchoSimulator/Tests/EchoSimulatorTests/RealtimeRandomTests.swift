// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit
import Testing

@testable import EchoSimulator

/// Clients at random against scenarios at random.
@Suite(.timeLimit(.minutes(5))) struct RealtimeRandomTests {
    /// A session of so many steps, of which the client knows what it was told.
    private static func run(_ seed: UInt64, steps: Int = 45) -> RealtimeTable {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario.randomRealtime(seed: seed, turns: 10, sessions: 1)
        let opening = scenario.turns.removeFirst()
        var table = RealtimeTable(scenario, opening: opening, seed: seed)
        for _ in 0..<steps {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                table.append(RealtimeTable.speech(milliseconds: Int.random(in: 20...600, using: &random)))
            case 3, 4: table.append(RealtimeTable.silence(milliseconds: Int.random(in: 20...600, using: &random)))
            case 5, 6: table.wait(.milliseconds(Int.random(in: 0...700, using: &random)))
            default: table.send(event(table, &random))
            }
        }
        table.append(RealtimeTable.silence(milliseconds: 2_000))
        table.wait(.seconds(30))
        return table
    }

    private static func event(_ table: RealtimeTable, _ random: inout SeededGenerator) -> JSONValue {
        let id = JSONValue.string(table.state.items.all.randomElement(using: &random)?.id ?? "none")
        let events: [JSONValue] = [
            ["type": "response.create"],
            ["type": "response.create", "response": ["conversation": "none", "output_modalities": ["text"]]],
            ["type": "response.cancel"], ["type": "input_audio_buffer.commit"], ["type": "input_audio_buffer.clear"],
            ["type": "conversation.item.delete", "item_id": id],
            ["type": "conversation.item.retrieve", "item_id": id],
            [
                "type": "conversation.item.truncate", "item_id": id, "content_index": 0,
                "audio_end_ms": .integer(Int.random(in: 0...3_000, using: &random)),
            ],
            [
                "type": "conversation.item.create", "previous_item_id": id,
                "item": ["type": "message", "role": "user", "content": [["type": "input_text", "text": "Hello"]]],
            ],
            [
                "type": "session.update",
                "session": [
                    "type": "realtime", "output_modalities": [Bool.random(using: &random) ? "text" : "audio"],
                    "audio": [
                        "input": [
                            "turn_detection": [
                                ["type": "server_vad", "silence_duration_ms": 200], ["type": "semantic_vad"], .null,
                            ].randomElement(using: &random) ?? .null,
                            "transcription": ["model": Bool.random(using: &random) ? "whisper-1" : "gpt-4o-transcribe"],
                        ]
                    ],
                ],
            ],
        ]
        return events.randomElement(using: &random) ?? [:]
    }

    @Test(arguments: 0..<16 as Range<UInt64>) func answersBeginAndEndAndItemsHaveTheirPlace(seed: UInt64) {
        let table = Self.run(seed)
        var open: Set<String> = []
        var order: [String] = []
        var begun: Set<String> = []
        var last: JSONValue?
        for event in table.events {
            // What a fault doubles comes twice in a row.
            if event == last { continue }
            last = event
            switch event.type {
            case "response.created":
                let isNew = open.insert(event["response"]?["id"]?.string ?? "").inserted
                #expect(isNew)
            case "response.done":
                #expect(open.remove(event["response"]?["id"]?.string ?? "") != nil)
            case "response.output_item.added": begun.insert(event["item"]?["id"]?.string ?? "")
            case "response.output_item.done":
                #expect(begun.remove(event["item"]?["id"]?.string ?? "") != nil)
            case "conversation.item.deleted": order.removeAll { $0 == event["item_id"]?.string }
            case "conversation.item.added":
                let id = event["item"]?["id"]?.string ?? ""
                #expect(!order.contains(id))
                order.append(id)
            default: break
            }
        }
        let broke = table.frames.contains { frame in
            switch frame {
            case .close, .cut: true
            case .text(let text): (try? JSONValue(parsing: text))?["type"]?.string == nil
            default: false
            }
        }
        // A message that is broken or lost may be any event.
        if !broke {
            #expect(open.isEmpty && begun.isEmpty, "seed \(seed)")
            #expect(Set(order) == Set(table.state.items.all.map(\.id)), "seed \(seed)")
        }
        #expect(Self.run(seed).frames == table.frames, "seed \(seed)")
    }

    @Test func everyEventIsOneOfTheSDKs() async throws {
        var lines: [String] = []
        var types: Set<String> = []
        for table in (100..<120 as Range<UInt64>).map({ Self.run($0) }) + [Self.rare] {
            for event in table.events {
                // These are the faults.
                guard let type = event["type"]?.string, type != "response.telepathy.delta" else { continue }
                lines.append(event.text)
                types.insert(type)
            }
        }
        let count = try await PythonJudge.run(lines: lines, script: "realtime_events.py")
        #expect(count == lines.count)
        #expect(types.isSuperset(of: Self.types), "never seen: \(Set(Self.types).subtracting(types).sorted())")
    }

    /// What seldom happens: a transcript that fails, a user who says nothing, a session for transcripts alone.
    private static var rare: RealtimeTable {
        let speech = Scenario.Speech(outcome: .failed)
        var table = RealtimeTable(Scenario([.init(speech: speech)]))
        table.send([
            "type": "session.update",
            "session": [
                "type": "realtime",
                "audio": [
                    "input": [
                        "transcription": ["model": "whisper-1"],
                        "turn_detection": ["type": "server_vad", "idle_timeout_ms": 5000],
                    ]
                ],
            ],
        ])
        table.append(RealtimeTable.speech(milliseconds: 500) + RealtimeTable.silence(milliseconds: 600))
        table.wait(.seconds(60))
        table.send([
            "type": "session.update",
            "session": ["type": "transcription", "audio": ["input": ["transcription": ["model": "whisper-1"]]]],
        ])
        return table
    }

    /// What the simulator sends by itself.
    private static let types = [
        "session.created", "session.updated", "conversation.created", "conversation.item.added",
        "conversation.item.done", "conversation.item.deleted", "conversation.item.retrieved",
        "conversation.item.truncated", "conversation.item.input_audio_transcription.delta",
        "conversation.item.input_audio_transcription.completed", "conversation.item.input_audio_transcription.failed",
        "error", "input_audio_buffer.committed", "input_audio_buffer.cleared", "input_audio_buffer.speech_started",
        "input_audio_buffer.speech_stopped", "input_audio_buffer.timeout_triggered", "rate_limits.updated",
        "response.created", "response.done",
        "response.output_item.added", "response.output_item.done", "response.content_part.added",
        "response.content_part.done", "response.output_text.delta", "response.output_text.done",
        "response.output_audio.delta", "response.output_audio.done", "response.output_audio_transcript.delta",
        "response.output_audio_transcript.done", "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
    ]

    @Test func randomScenariosHaveEverything() {
        let turns = (0..<20 as Range<UInt64>).flatMap { Scenario.randomRealtime(seed: $0).turns }
        let codes = Set(
            turns.flatMap(\.faults).compactMap { if case .close(_, let code, _) = $0 { code } else { nil } })
        #expect(codes == [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015])
        for outcome in Scenario.Speech.Outcome.allCases { #expect(turns.contains { $0.speech?.outcome == outcome }) }
        for moment in Scenario.Speech.Moment.allCases { #expect(turns.contains { $0.speech?.moment == moment }) }
        #expect(turns.allSatisfy { ($0.speech?.delay ?? .zero) <= .milliseconds(400) })
    }
}
