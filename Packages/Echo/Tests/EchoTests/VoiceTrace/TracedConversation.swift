// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import StructuredJSON
import TestKit

@testable import Echo

/// A conversation of a machine that is recorded: what a seed says happens, sensible or not.
struct TracedConversation {
    /// Keeps lines.
    final class Lines: VoiceTraceSink {
        private let lines = Guarded<[String]>([])

        var all: [String] { lines.withLock { $0 } }
        /// The lines as a file has them.
        var bytes: [UInt8] { all.flatMap { Array($0.utf8) + [10] } }

        func take(_ line: String) { lines.withLock { $0.append(line) } }
    }

    static let words = [
        "What is the capital of Texas? ", "Ünïcode, e\u{301}lan. ", "👨‍👩‍👧 ", "हिन्दी में ", "日本語。", "한국어! ", "42 ", " ", "…",
        "\n",
    ]

    let lines = Lines()
    private(set) var now = Duration.zero
    private var machine: VoiceMachine
    private let recorder: VoiceTraceRecorder
    private var random: SeededGenerator
    private var heard = 0
    private var given = 0
    private var session = 1
    private(set) var stuck = false

    init(seed: UInt64, configuration: VoiceMachine.Configuration = .init(), history: [ResponseItem] = []) {
        random = SeededGenerator(seed: seed)
        machine = VoiceMachine(configuration: configuration, history: history, knownMessages: ["known"])
        recorder = VoiceTraceRecorder(
            sink: lines, configuration: configuration, history: history, knownMessages: ["known"])
    }

    mutating func input(_ input: VoiceInput) {
        let actions = machine.handle(input, at: now)
        recorder.record(input, at: now, actions: actions)
        follow(actions)
    }

    mutating func pass(_ duration: Duration) {
        let end = now + duration
        var (last, count) = (now, 0)
        while let deadline = machine.deadline, deadline <= end {
            now = max(now, deadline)
            // A machine that is due and does nothing would keep its driver busy for ever.
            count = now == last ? count + 1 : 0
            last = now
            guard count < 100 else {
                stuck = true
                break
            }
            let actions = machine.advance(to: now)
            recorder.record(nil, at: now, actions: actions)
            follow(actions)
        }
        now = end
    }

    private mutating func follow(_ actions: [VoiceAction]) {
        for action in actions {
            switch action {
            case .connect(let number): session = number
            case .play(let sound): given += sound.count / 2
            case .flush:
                given = heard
                input(.flushed(heard: heard))
            default: break
            }
        }
    }

    /// So many things happen.
    mutating func run(_ count: Int) {
        input(.start)
        for _ in 0..<count {
            if Int.random(in: 0..<3, using: &random) == 0 {
                pass(.nanoseconds(Int.random(in: 0...2_000_000_000, using: &random)))
            }
            input(next())
        }
        pass(.seconds(30))
        input(.command(.stop))
    }

    private mutating func next() -> VoiceInput {
        switch Int.random(in: 0..<14, using: &random) {
        case 12:
            let spent = Double(Int.random(in: 0...40, using: &random)) / 10
            return .counted(Spending(total: spent + 0.3, voice: spent, limit: Bool.random(using: &random) ? 3.7 : nil))
        case 13: return .deviceFailed(text())
        case 0: return .opened(session)
        case 1: return .captured([UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: 960))
        case 2:
            heard = Int.random(in: heard...max(heard, given), using: &random)
            return .heard(frames: heard)
        case 3: return .voice(Bool.random(using: &random))
        case 4: return .toolAnswered(ToolResult(callID: id("c"), output: text()))
        case 5: return .judged(id: Int.random(in: 1...6, using: &random), isAllowed: Bool.random(using: &random))
        case 6: return Bool.random(using: &random) ? .command(command()) : .failed(session, .broken(retryAfter: nil))
        default:
            guard let event = try? ServerEvent(json: event()) else { preconditionFailure("an event cannot be read") }
            return .server(session, event)
        }
    }

    private mutating func command() -> VoiceCommand {
        switch Int.random(in: 0..<9, using: &random) {
        case 7: .submit(10, [ToolResult(callID: id("c"), output: text())])
        case 8: .mute(Bool.random(using: &random))
        case 5: .fill(id: id("f"), text: text())
        case 0: .say(7, id: id("s"), text: text())
        case 1: .beginTurn
        case 2: .endTurn
        case 3: .interrupt(8)
        case 4: .windUp(9, within: .milliseconds(700))
        default: .goOn
        }
    }

    /// An event as a server sends it.
    private mutating func event() -> JSONValue {
        func event(_ type: String, _ members: JSONObject) -> JSONValue {
            var object: JSONObject = ["type": .string(type), "event_id": "event_1"]
            object.add(members)
            return .object(object)
        }
        func answer(_ type: String, _ members: JSONObject) -> JSONValue {
            var object: JSONObject = ["response_id": response, "item_id": item, "output_index": 0, "content_index": 0]
            object.add(members)
            return event("response.\(type)", object)
        }
        func speech(_ type: String, _ members: JSONObject) -> JSONValue {
            var object: JSONObject = ["item_id": user, "content_index": 0]
            object.add(members)
            return event("conversation.item.input_audio_transcription.\(type)", object)
        }
        let (response, item, user) = (JSONValue.string(id("r")), JSONValue.string(id("a")), JSONValue.string(id("u")))
        let text = JSONValue.string(text())
        let message: JSONValue = [
            "type": "message", "id": item, "role": "assistant",
            "content": [["type": "output_audio", "transcript": text]],
        ]
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return event("input_audio_buffer.speech_started", ["item_id": user, "audio_start_ms": 10])
        case 1: return event("input_audio_buffer.speech_stopped", ["item_id": user, "audio_end_ms": 200])
        case 2: return event("input_audio_buffer.committed", ["item_id": user, "previous_item_id": item])
        case 3: return speech("delta", ["delta": text, "logprobs": ["secret"]])
        case 4: return speech("completed", ["transcript": text, "usage": ["type": "duration", "seconds": 1.5]])
        case 5: return speech("failed", ["error": ["code": "bad", "message": text]])
        case 6: return event("response.created", ["response": ["id": response, "conversation_id": "conv"]])
        case 7, 8: return answer("output_audio_transcript.delta", ["delta": text])
        case 9, 10:
            let sound = [UInt8](repeating: 77, count: 4_800)
            return answer("output_audio.delta", ["delta": .string(Base64.encode(sound))])
        case 11: return answer("output_audio_transcript.done", ["transcript": text])
        case 12: return event("conversation.item.added", ["item": message])
        case 13:
            return event("error", ["error": ["code": "some_code", "message": text, "event_id": "v1.answer.1"]])
        case 14:
            let call: JSONValue = [
                "type": "function_call", "id": .string(id("f")), "call_id": .string(id("c")), "name": "look_up",
                "arguments": #"{"place":"Texas"}"#,
            ]
            let done: JSONValue = [
                "id": response, "status": "completed", "output": [message, call], "usage": ["input_tokens": 0],
            ]
            return event("response.done", ["response": done])
        default: return event("response.hologram", ["beam": text])
        }
    }

    private mutating func id(_ kind: String) -> String { "\(kind)\(Int.random(in: 1...3, using: &random))" }

    private mutating func text() -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined()
    }
}
