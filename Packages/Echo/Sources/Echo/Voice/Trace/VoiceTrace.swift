// SPDX-License-Identifier: MIT

/// A recorded voice conversation, which can be replayed without network, sound card and text.
///
/// ```swift
/// for trace in try VoiceTrace.conversations(in: bytes) { try trace.replay() }
/// ```
///
/// The machine of a voice conversation is a pure value, so that the same inputs at the same times have to give the same
/// actions. If they do not, the machine has changed, intentionally or not.
public struct VoiceTrace: Sendable {
    /// The version of the traces that this program writes and reads.
    public static let version = 4
    /// The most bytes of a file that are read.
    public static let maximumSize = 256 << 20
    /// The limit of a conversation's sound in bytes. A day of it has 4 GB; such traces are not read.
    static let maximumSound = 1 << 30
    /// The first member of a conversation's first line.
    static let mark = "parleyVoiceTrace"

    /// One line.
    struct Step: Sendable {
        let line: Int
        let at: Duration
        let content: JSONObject
        let actions: JSONValue

        /// The input; `nil` for ``VoiceMachine/advance(to:)``.
        func input() throws(VoiceTraceError) -> VoiceInput? {
            do throws(WireError) {
                return try VoiceInput(traceLine: content)
            } catch {
                throw .damaged(line: line, reason: error.description)
            }
        }
    }

    let configuration: VoiceMachine.Configuration
    let history: [ResponseItem]
    let knownMessages: [String]
    var steps: [Step] = []
    /// True if the end is missing: the recording program was ended, or the trace was full.
    public internal(set) var isCut = false

    /// The time from the first input to the last.
    public var duration: Duration {
        guard let first = steps.first, let last = steps.last else { return .zero }
        return last.at - first.at
    }

    /// The number of inputs.
    public var inputs: Int { steps.count }

    /// Runs the inputs through a fresh machine at their recorded times, and compares its actions.
    ///
    /// - Throws: ``VoiceTraceError/differs(line:recorded:today:)`` at the first line that differs.
    public func replay() throws(VoiceTraceError) {
        try run { step, actions throws(VoiceTraceError) in
            let today = JSONValue.array(actions.map { TraceCoding.json($0) })
            guard TraceRedaction.withoutHashes(today) == TraceRedaction.withoutHashes(step.actions) else {
                throw .differs(line: step.line, recorded: step.actions.text, today: today.text)
            }
        }
    }

    private func run(
        _ body: (Step, [VoiceAction]) throws(VoiceTraceError) -> Void
    ) throws(VoiceTraceError) {
        var machine = VoiceMachine(configuration: configuration, history: history, knownMessages: knownMessages)
        for step in steps {
            if let input = try step.input() {
                try body(step, machine.handle(input, at: step.at))
            } else {
                try body(step, machine.advance(to: step.at))
            }
        }
    }
}

extension VoiceTrace {
    /// One turn of a recorded conversation.
    public struct Turn: Sendable, Hashable {
        /// The side that has the turn.
        public var speaker: Speaker
        /// The time of its beginning, since the first input.
        public var began: Duration
        /// The time of its end; `nil` if the trace ends before.
        public var ended: Duration?
        /// The latency from the user's last word to the answer's first, in a turn of the assistant's.
        public var latency: TurnLatency?
        /// True if the user cut it short.
        public var isInterrupted = false
        /// The names of the tools that were called in it.
        public var tools: [String] = []
    }

    /// The turns of the recording in order, as the machine decides them today.
    public var turns: [Turn] {
        var turns: [Turn] = []
        let start = steps.first?.at ?? .zero
        try? run { step, actions in
            for case .emit(let event) in actions { Self.note(event, at: step.at - start, in: &turns) }
        }
        return turns
    }

    private static func note(_ event: EchoEvent, at now: Duration, in turns: inout [Turn]) {
        let answer = turns.lastIndex { $0.speaker == .assistant }
        switch event {
        case .turnChanged(let speaker): turns.append(Turn(speaker: speaker, began: now))
        case .turnEnded(let speaker):
            guard let index = turns.lastIndex(where: { $0.speaker == speaker && $0.ended == nil }) else { break }
            turns[index].ended = now
        case .turnTimed(let latency): if let answer { turns[answer].latency = latency }
        case .assistantInterrupted: if let answer { turns[answer].isInterrupted = true }
        case .toolCallRequested(let call): if !turns.isEmpty { turns[turns.count - 1].tools.append(call.name) }
        default: break
        }
    }
}
