// SPDX-License-Identifier: MIT

/// The decisions of an assistant that listens all day: a pure state machine without sound, clock or task.
///
///     idle ──wake word──▶ listening ──question──▶ thinking ──answer──▶ speaking ──over──▶ listening (follow-up)
///       ▲                    │  ▲                     │                    │                   │
///       └──── no speech ─────┘  └───── barge-in ──────┴────────────────────┘                   │
///       └───────────────────────────── no speech for the follow-up time ───────────────────────┘
///
/// The caller reports each event with its position in the sound, and carries out the returned actions in order.
/// Positions count from the start of listening and never decrease.
public struct VoiceLoop: Sendable, Equatable {
    /// The time limits of the loop.
    public struct Configuration: Sendable, Equatable {
        /// The time limit for a question to begin after the wake word.
        public var patience: Duration
        /// The time after an answer in which a further question needs no wake word; zero needs it each time.
        public var followUp: Duration
        /// The wait between the wake word and its tone, so that the tone does not sound during a question said in one
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

    /// The state of the loop.
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

    /// A state without its particulars, for a display.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        case idle, listening, thinking, speaking
    }

    /// An event that the loop handles.
    public enum Event: Sendable, Hashable {
        /// The wake word was said.
        case wakeWord
        /// A person began to speak.
        case speechBegan
        /// The sound that had begun was no speech.
        case speechDiscarded
        /// A question was understood.
        case question(TurnID)
        /// Something was said that is not a question.
        case notUnderstood
        /// The answer to a question, or what is to be said instead of one, is ready.
        case answer(TurnID)
        /// There is no answer to speak: the question failed in a way that is only shown.
        case noAnswer(TurnID)
        /// The answer was spoken in full, or the voice failed.
        case speechOver(TurnID)
        /// A person asked for an end of it by a button, or spoke for too long.
        case stopped
        /// Hearing has stopped, or starts again.
        case deaf
        /// The sound has reached this position.
        case time
    }

    /// An action for the caller.
    public enum Action: Sendable, Hashable {
        /// Play a short tone that says that the assistant listens.
        case playEarcon(Earcon)
        /// Send the sound to the recogniser from here on, with the words that were said together with the wake word.
        case openListener
        /// Look only for the wake word from here on.
        case closeListener
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
        /// The speech was not a question.
        case notUnderstood
        /// No question was said in time.
        case asleep
    }

    /// The present state.
    public private(set) var state = State.idle
    private let configuration: Configuration
    /// The time of the tone for the wake word, unless a question begins before.
    private var earcon: Duration?

    /// Makes a loop that waits for the wake word.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Handles an event at `position` of the sound and returns the actions, in order.
    ///
    /// An event of another turn than the present one is late and changes nothing.
    public mutating func handle(_ event: Event, at position: Duration) -> [Action] {
        switch (state, event) {
        case (.idle, .wakeWord), (.listening, .wakeWord):
            return called(at: position, [.openListener])
        case (.thinking(let turn), .wakeWord), (.speaking(let turn), .wakeWord):
            return called(at: position, [.interrupt(turn), .openListener])
        case (.speaking(let turn), .speechBegan):
            // The listener gets the beginning of the question, so no tone may sound during it.
            return listen(until: nil, [.interrupt(turn), .openListener])
        case (.listening(_, let isFollowUp), .speechBegan):
            return listen(until: nil, isFollowUp: isFollowUp, [])
        case (.listening(_, let isFollowUp), .speechDiscarded):
            let wait = isFollowUp ? configuration.followUp : configuration.patience
            return listen(until: position + wait, isFollowUp: isFollowUp, [])
        case (.listening, .question(let turn)):
            state = .thinking(turn)
            return [.closeListener, .answer(turn)]
        case (.listening(_, isFollowUp: true), .notUnderstood):
            // Most likely said to another person.
            return rest([])
        case (.listening, .notUnderstood):
            return listen(until: position + configuration.patience, [.playEarcon(.notUnderstood)])
        case (.listening, .deaf), (.listening, .stopped):
            return rest([])
        case (.thinking(let turn), .stopped), (.speaking(let turn), .stopped):
            return rest([.interrupt(turn)], isListenerOpen: false)
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
            return rest([.playEarcon(.notUnderstood)], isListenerOpen: false)
        case (.speaking(let turn), .speechOver(let answered)) where answered == turn:
            guard configuration.followUp > .zero else { return rest([], isListenerOpen: false) }
            return listen(until: position + configuration.followUp, isFollowUp: true, [.openListener])
        default:
            return []
        }
    }

    /// The present state in one word.
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

    private mutating func rest(_ actions: [Action], isListenerOpen: Bool = true) -> [Action] {
        state = .idle
        return (isListenerOpen ? [.closeListener] : []) + actions
    }
}
