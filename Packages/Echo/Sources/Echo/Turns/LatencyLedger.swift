// SPDX-License-Identifier: MIT

/// Notes the times of each turn's steps, and returns them when the answer is audible or the turn is over: a pure
/// ledger.
///
/// Times are durations since any fixed moment. Only the first time of a step counts. A step before the end of speech,
/// as when the server is quicker than the detector, counts as zero waiting.
struct LatencyLedger: Sendable {
    /// A moment of a turn.
    enum Step: Int, Sendable, Hashable, CaseIterable {
        /// The user has finished speaking.
        case endOfSpeech
        /// The answer was requested, or the sound committed.
        case sent
        /// The first event of the answer arrived.
        case firstEvent
        /// The first sound of the answer arrived.
        case firstAudio
        /// The first sample of it reached the loudspeaker.
        case audible
    }

    private var turns: [Int: [Step: Duration]] = [:]
    private var order: [Int] = []
    private let capacity: Int

    /// A ledger.
    ///
    /// - Parameter capacity: The number of turns that may be open; beyond it the oldest is dropped.
    init(capacity: Int = 8) {
        self.capacity = max(capacity, 1)
    }

    /// Notes a step of a turn.
    ///
    /// - Returns: The turn, once it is audible.
    mutating func note(_ step: Step, turn: Int, at now: Duration) -> TurnLatency? {
        if turns[turn] == nil {
            order.append(turn)
            if order.count > capacity { turns[order.removeFirst()] = nil }
        }
        if turns[turn]?[step] == nil { turns[turn, default: [:]][step] = now }
        return step == .audible ? end(turn: turn) : nil
    }

    /// Ends a turn, audible or not.
    ///
    /// - Returns: The turn's latencies; `nil` if they were returned before, or its end of speech was never noted.
    mutating func end(turn: Int) -> TurnLatency? {
        guard let steps = turns.removeValue(forKey: turn) else { return nil }
        order.removeAll { $0 == turn }
        guard let start = steps[.endOfSpeech] else { return nil }
        func since(_ step: Step) -> Duration? { steps[step].map { max($0 - start, .zero) } }
        return TurnLatency(
            turnID: turn, sent: since(.sent), firstEvent: since(.firstEvent), firstAudio: since(.firstAudio),
            audible: since(.audible))
    }
}
