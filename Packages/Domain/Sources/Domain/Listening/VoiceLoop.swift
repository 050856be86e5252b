// SPDX-License-Identifier: MIT

/// What an assistant that listens all day does next: a pure state machine without sound, clock or task.
///
///     idle ──wake word──▶ listening ──question──▶ thinking ──answer──▶ speaking ──over──▶ listening (follow-up)
///       ▲                    │  ▲                     │                    │                   │
///       └──── no speech ─────┘  └───── barge-in ──────┴────────────────────┘                   │
///       └───────────────────────────── no speech for the follow-up time ───────────────────────┘
///
/// Whoever drives it reports what happened, with the position of the sound in which it did, and carries out what comes
/// back in that order. Positions count from the start of listening and never go back.
public struct VoiceLoop: Sendable, Equatable {
    /// How long it waits.
    public struct Configuration: Sendable, Equatable {
        /// How long a question may take to begin after the wake word.
        public var patience: Duration
        /// How long a further question is taken without the wake word after an answer; zero needs it each time.
        public var followUp: Duration
        /// How long after the wake word it stays quiet, so that its tone does not speak into a question said in one
        /// breath.
        public var earconDelay: Duration

        /// Makes a configuration: 8 s, 6 s and 0.3 s unless given.
        public init(
            patience: Duration = .seconds(8), followUp: Duration = .seconds(6),
            earconDelay: Duration = .milliseconds(300)
        ) {
            self.patience = patience
            self.followUp = followUp
            self.earconDelay = earconDelay
        }
    }

    /// What it is doing.
    public enum State: Sendable, Hashable {
        /// Waiting for the wake word.
        case idle
        /// A question is expected until `deadline`, or is under way (nil). After an answer it is a follow-up.
        case listening(until: Duration?, isFollowUp: Bool)
        /// The answer is being found.
        case thinking(TurnID)
        /// The answer is being said.
        case speaking(TurnID)
    }

    /// A state without its particulars, for those who show it.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case idle, listening, thinking, speaking
    }

    /// What happened.
    public enum Event: Sendable, Hashable {
        /// The wake word was said.
        case wakeWord
        /// Somebody began to speak.
        case speechBegan
        /// What had begun was no speech.
        case speechDiscarded
        /// A question was understood.
        case question(TurnID)
        /// Something was said that is no question.
        case notUnderstood
        /// The answer to a question, or what is to be said instead of one, is ready.
        case answer(TurnID)
        /// There is nothing to say: the question failed in a way that is only shown.
        case noAnswer(TurnID)
        /// Everything was said, or the voice failed.
        case speechOver(TurnID)
        /// Nothing is heard any more, or hearing begins anew.
        case deaf
        /// The sound has come to this position.
        case time
    }

    /// What to do.
    public enum Action: Sendable, Hashable {
        /// Say by a short tone that it listens.
        case playEarcon(Earcon)
        /// Hand the sound to the recogniser from here on, what was said with the wake word included.
        case openEar
        /// Look only for the wake word from here on.
        case closeEar
        /// Find the answer.
        case answer(TurnID)
        /// Say the answer.
        case speak(TurnID)
        /// Stop finding or saying the answer at once.
        case interrupt(TurnID)
    }

    /// A short tone.
    public enum Earcon: String, Sendable, Hashable, CaseIterable {
        /// The wake word was heard.
        case listening
        /// It was no question.
        case notUnderstood
        /// Nobody said anything.
        case asleep
    }

    /// What it is doing now.
    public private(set) var state = State.idle
    private let configuration: Configuration
    /// When to say that the wake word was heard, unless a question begins before.
    private var earcon: Duration?

    /// Makes a loop that waits for the wake word.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Takes what happened at `position` of the sound and says what to do, in order.
    ///
    /// What belongs to another turn than the present one comes too late and changes nothing.
    public mutating func handle(_ event: Event, at position: Duration) -> [Action] {
        switch (state, event) {
        case (.idle, .wakeWord), (.listening, .wakeWord):
            return called(at: position, [.openEar])
        case (.thinking(let turn), .wakeWord), (.speaking(let turn), .wakeWord):
            return called(at: position, [.interrupt(turn), .openEar])
        case (.speaking(let turn), .speechBegan):
            // The beginning is in the sound that the ear is given, so no tone speaks into it.
            return listen(until: nil, [.interrupt(turn), .openEar])
        case (.listening(_, let isFollowUp), .speechBegan):
            return listen(until: nil, isFollowUp: isFollowUp, [])
        case (.listening(_, let isFollowUp), .speechDiscarded):
            let wait = isFollowUp ? configuration.followUp : configuration.patience
            return listen(until: position + wait, isFollowUp: isFollowUp, [])
        case (.listening, .question(let turn)):
            state = .thinking(turn)
            return [.closeEar, .answer(turn)]
        case (.listening(_, isFollowUp: true), .notUnderstood):
            // Said to somebody else, most likely.
            return rest([])
        case (.listening, .notUnderstood):
            return listen(until: position + configuration.patience, [.playEarcon(.notUnderstood)])
        case (.listening, .deaf):
            return rest([])
        case (.listening(let deadline?, let isFollowUp), .time) where position >= deadline:
            return rest(isFollowUp ? [] : [.playEarcon(.asleep)])
        case (.listening, .time):
            guard let due = earcon, position >= due else { return [] }
            earcon = nil
            return [.playEarcon(.listening)]
        case (.thinking(let turn), .answer(let answered)) where answered == turn:
            state = .speaking(turn)
            return [.speak(turn)]
        case (.thinking(let turn), .noAnswer(let answered)) where answered == turn:
            return rest([.playEarcon(.notUnderstood)], isEarOpen: false)
        case (.speaking(let turn), .speechOver(let answered)) where answered == turn:
            guard configuration.followUp > .zero else { return rest([], isEarOpen: false) }
            return listen(until: position + configuration.followUp, isFollowUp: true, [.openEar])
        default:
            return []
        }
    }

    /// What it is doing now, in one word.
    public var phase: Phase {
        switch state {
        case .idle: .idle
        case .listening: .listening
        case .thinking: .thinking
        case .speaking: .speaking
        }
    }

    private mutating func called(at position: Duration, _ actions: [Action]) -> [Action] {
        defer { earcon = position + configuration.earconDelay }
        return listen(until: position + configuration.patience, actions)
    }

    private mutating func listen(
        until deadline: Duration?, isFollowUp: Bool = false, _ actions: [Action]
    ) -> [Action] {
        state = .listening(until: deadline, isFollowUp: isFollowUp)
        earcon = nil
        return actions
    }

    private mutating func rest(_ actions: [Action], isEarOpen: Bool = true) -> [Action] {
        state = .idle
        return (isEarOpen ? [.closeEar] : []) + actions
    }
}
