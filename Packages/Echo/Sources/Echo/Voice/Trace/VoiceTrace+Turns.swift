// SPDX-License-Identifier: MIT

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

    /// The turns of the recording, in order.
    public var turns: [Turn] {
        var turns: [Turn] = []
        guard let start = steps.first?.at else { return turns }
        for step in steps {
            for action in step.actions.array ?? [] where action["kind"]?.string == "notice" {
                guard let notice = action["notice"] else { continue }
                Self.note(notice, at: step.at - start, in: &turns)
            }
        }
        return turns
    }

    private static func note(_ notice: JSONValue, at now: Duration, in turns: inout [Turn]) {
        let speaker = notice["role"]?.string.flatMap(Speaker.init(rawValue:))
        switch (notice["kind"]?.string, speaker) {
        case ("turnBegan", let speaker?): turns.append(Turn(speaker: speaker, began: now))
        case ("turnEnded", let speaker?):
            if let index = turns.lastIndex(where: { $0.speaker == speaker && $0.ended == nil }) {
                turns[index].ended = now
            }
        case ("latency", _):
            let latency = notice["latency"].flatMap { try? TurnLatency(traceJSON: $0) }
            if let index = turns.lastIndex(where: { $0.speaker == .assistant }) { turns[index].latency = latency }
        case ("assistantInterrupted", _):
            if let index = turns.lastIndex(where: { $0.speaker == .assistant }) { turns[index].isInterrupted = true }
        case ("toolCallRequested", _):
            if let name = notice["call"]?["name"]?.string, !turns.isEmpty { turns[turns.count - 1].tools.append(name) }
        default: break
        }
    }
}
