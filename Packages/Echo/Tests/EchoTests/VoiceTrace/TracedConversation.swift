// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
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

    init(seed: UInt64, configuration: VoiceMachine.Configuration = .init(), history: [RealtimeItem] = []) {
        random = SeededGenerator(seed: seed)
        machine = VoiceMachine(configuration: configuration, history: history, knownMessages: ["known"])
        recorder = VoiceTraceRecorder(
            sink: lines, configuration: configuration, history: history, knownMessages: ["known"])
    }

    mutating func input(_ input: VoiceInput) {
        let actions = machine.handle(input, at: now)
        recorder.took(input, at: now, actions: actions)
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
            recorder.took(nil, at: now, actions: actions)
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
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .opened(session)
        case 1: return .captured([UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: 960))
        case 2:
            heard = Int.random(in: heard...max(heard, given), using: &random)
            return .heard(frames: heard)
        case 3: return .voice(Bool.random(using: &random))
        case 4: return .toolAnswered(ToolResult(callID: id("c"), output: text()))
        case 5: return .judged(id: Int.random(in: 1...6, using: &random), isAllowed: Bool.random(using: &random))
        case 6: return Bool.random(using: &random) ? .command(command()) : .failed(session, .broken(retryAfter: nil))
        default: return .server(session, ServerEvent(event(), id: "event_1"))
        }
    }

    private mutating func command() -> VoiceCommand {
        switch Int.random(in: 0..<7, using: &random) {
        case 5: .fill(id: id("f"), text: text())
        case 0: .say(7, id: id("s"), text: text())
        case 1: .beginTurn
        case 2: .endTurn
        case 3: .interrupt(8)
        case 4: .windUp(9, within: .milliseconds(700))
        default: .goOn
        }
    }

    private mutating func event() -> ServerEvent.Detail {
        let place = AnswerPlace(responseID: id("r"), itemID: id("a"))
        let message = RealtimeItem.message(
            RealtimeMessage(id: id("a"), role: .assistant, content: [.outputAudio(nil, transcript: text())]))
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .speechStarted(itemID: id("u"), audioStart: 10)
        case 1: return .speechStopped(itemID: id("u"), audioEnd: 200)
        case 2: return .inputAudioCommitted(itemID: id("u"), at: .after(id("a")))
        case 3: return .transcriptDelta(itemID: id("u"), contentIndex: 0, delta: text(), logprobs: ["secret"])
        case 4: return .transcriptCompleted(RealtimeTranscript(itemID: id("u"), text: text(), usage: .seconds(1.5)))
        case 5: return .transcriptFailed(itemID: id("u"), contentIndex: 0, APIFailure(code: "bad", message: text()))
        case 6: return .responseCreated(RealtimeResponse(id: id("r"), conversationID: "conv"))
        case 7, 8: return .audioTranscriptDelta(place, delta: text())
        case 9, 10: return .audioDelta(place, [UInt8](repeating: 77, count: 4_800))
        case 11: return .audioTranscriptDone(place, transcript: text())
        case 12: return .itemAdded(message, at: .end)
        case 13: return .error(APIFailure(code: "some_code", message: text()), clientEventID: "v1.answer.1")
        case 14:
            let call = RealtimeItem.functionCall(
                FunctionCallItem(id: id("f"), callID: id("c"), name: "look_up", arguments: #"{"place":"Texas"}"#))
            return .responseDone(
                RealtimeResponse(id: id("r"), status: .completed, output: [message, call], usage: RealtimeUsage()))
        default: return .unknown(type: "response.hologram", ["type": "response.hologram", "beam": .string(text())])
        }
    }

    private mutating func id(_ kind: String) -> String { "\(kind)\(Int.random(in: 1...3, using: &random))" }

    private mutating func text() -> String {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined()
    }
}
