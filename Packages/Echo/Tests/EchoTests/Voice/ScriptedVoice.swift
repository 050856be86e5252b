// SPDX-License-Identifier: MIT

import EchoSimulator
import StructuredJSON

@testable import Echo

/// An answer of the simulator's, with the length of its sound.
struct ScriptedAnswer: Sendable {
    var turn: Scenario.Turn
    var text = ""
    var milliseconds = 0

    /// Words and their sound.
    ///
    /// - Parameter said: The words of the speech that it answers; `nil` if it answers text.
    static func speech(
        _ text: String, milliseconds: Int, to said: String? = nil, moment: Scenario.Speech.Moment = .before
    ) -> Self {
        let usage = Scenario.Usage(input: 100, output: 100, inputAudio: 50, outputAudio: 80)
        let turn = Scenario.Turn(
            .answer(.init(items: [.message(text)], usage: usage)),
            pace: .init(chunk: text.count, sound: .milliseconds(100)),
            speech: said.map { .init(transcript: $0, moment: moment) })
        return Self(turn: turn, text: text, milliseconds: milliseconds)
    }

    /// As speech, but it does not end by itself.
    static func unfinished(_ text: String, milliseconds: Int) -> Self {
        var answer = speech(text, milliseconds: milliseconds)
        answer.turn.pace.lastDelay = .seconds(3_000)
        return answer
    }

    static func calls(_ calls: [ToolCall], to said: String? = nil) -> Self {
        let items = calls.map { Scenario.Item.functionCall(name: $0.name, arguments: $0.arguments, id: $0.id) }
        return Self(turn: .init(.answer(.init(items: items)), speech: said.map { .init(transcript: $0) }))
    }

    static func failure(code: String) -> Self {
        Self(turn: .init(.answer(.init(status: .failed(code: code, message: "It failed.")))))
    }
}

extension Scenario.Cue {
    /// Turns that the client commits get no id until the test gives them one.
    static let namesNoTurn = Self(when: ["type": "input_audio_buffer.commit"], times: .max)
    /// Requests for an answer are neither answered nor refused.
    static let answersNothing = Self(when: ["type": "response.create"], times: .max)
}

/// A simulator as a test of voice conversations sees it.
struct ScriptedVoice: Sendable {
    let simulator: EchoSimulator

    private static func sent(_ type: String, _ requests: [RecordedRequest]) -> [JSONValue] {
        requests.flatMap(\.events).filter { $0["type"]?.string == type }
    }

    /// The clients' events of that type.
    func sent(_ type: String) -> [JSONValue] { Self.sent(type, simulator.requests) }

    /// Waits until so many of that type were sent.
    func first(_ count: Int, _ type: String) async throws -> [JSONValue] {
        try await simulator.waitForRequests { Self.sent(type, $0).count >= count }
        return Array(sent(type).prefix(count))
    }

    /// The number of pieces of sound that were appended.
    var appended: Int { simulator.requests.reduce(0) { $0 + $1.appendCount } }

    /// Sessions that are opened from now on are confirmed, or left waiting.
    func setConfirming(_ isConfirming: Bool) {
        if isConfirming {
            simulator.scenario.turns.removeFirst()
        } else {
            simulator.scenario.turns.insert(
                .init(times: .max, faults: [.stall(afterEvents: 0)], session: .init()), at: 0)
        }
    }

    // MARK: Events that the simulator would not send by itself

    func say(_ type: String, _ fields: JSONObject = [:], only session: Int? = nil) async {
        var event: JSONObject = ["type": .string(type)]
        for (name, value) in fields { event[name] = value }
        await simulator.sendToSessions(.object(event), only: session)
    }

    /// The detector hears the user begin.
    func hearSpeech(_ id: String) async {
        await say("input_audio_buffer.speech_started", ["item_id": .string(id), "audio_start_ms": 0])
    }

    /// The detector hears the user end.
    func stopSpeech(_ id: String) async {
        await say("input_audio_buffer.speech_stopped", ["item_id": .string(id), "audio_end_ms": 200])
    }

    /// The user's sound becomes an item.
    func commitSpeech(_ id: String, after previous: String? = nil) async {
        let place = previous.map(JSONValue.string) ?? .null
        await say("input_audio_buffer.committed", ["item_id": .string(id), "previous_item_id": place])
        let item: JSONValue = [
            "type": "message", "id": .string(id), "role": "user", "status": "completed",
            "content": [["type": "input_audio", "transcript": .null]],
        ]
        for kind in ["added", "done"] {
            await say("conversation.item.\(kind)", ["previous_item_id": place, "item": item])
        }
    }

    func transcribe(_ id: String, _ text: String, only session: Int? = nil) async {
        await say(
            "conversation.item.input_audio_transcription.completed",
            [
                "item_id": .string(id), "content_index": 0, "transcript": .string(text),
                "usage": ["type": "duration", "seconds": 2],
            ], only: session)
    }

    /// The user speaks, without a transcript.
    func speak(_ id: String, after previous: String? = nil) async {
        await hearSpeech(id)
        await stopSpeech(id)
        await commitSpeech(id, after: previous)
    }
}
