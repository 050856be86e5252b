// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// The handling of the user's spoken turn in `/v1/realtime`.
    public struct Speech: Sendable, Hashable {
        /// The moment of the transcript, relative to the answer.
        public enum Moment: String, Sendable, CaseIterable {
            /// Before the answer begins, which waits for it.
            case before
            /// Right after the first piece of the answer.
            case during
            /// After the answer's `response.done`.
            case after
            /// Apart from the answer, which does not wait: the delay begins when the turn ends.
            case independent
        }

        /// The outcome of the recognition.
        public enum Outcome: String, Sendable, CaseIterable {
            /// The transcript is sent.
            case completed
            /// An error is sent in place of the transcript.
            case failed
            /// Nothing is sent.
            case missing
            /// The transcript is sent twice.
            case duplicate
        }

        /// The user's words; `nil` leaves them to the simulator.
        public var transcript: String?
        /// The moment of the transcript.
        public var moment: Moment
        /// The additional delay after that moment.
        public var delay: Duration
        /// The outcome of the recognition.
        public var outcome: Outcome
        /// True if the turn's item is announced only after the answer's first, so that the order of arrival is not that
        /// of the conversation.
        public var isItemLate: Bool

        /// A spoken turn.
        public init(
            transcript: String? = nil, moment: Moment = .before, delay: Duration = .zero,
            outcome: Outcome = .completed, isItemLate: Bool = false
        ) {
            self.transcript = transcript
            self.moment = moment
            self.delay = delay
            self.outcome = outcome
            self.isItemLate = isItemLate
        }
    }

    /// The course of a whole session of `/v1/realtime`. The faults of its turn count the session's events.
    public struct Session: Sendable, Hashable {
        /// The age at which the session expires; `nil` for the configuration's.
        public var expiresAfter: Duration?
        /// The content of `rate_limits.updated`; `nil` for plenty.
        public var rateLimits: [JSONValue]?
        /// True if sound in an item that the client creates is transcribed, too.
        public var transcribesItems: Bool
        /// The rules by which the service departs from its own behaviour. The first that fits a client's event counts.
        public var cues: [Cue]

        /// A session.
        public init(
            expiresAfter: Duration? = nil, rateLimits: [JSONValue]? = nil, transcribesItems: Bool = false,
            cues: [Cue] = []
        ) {
            self.expiresAfter = expiresAfter
            self.rateLimits = rateLimits
            self.transcribesItems = transcribesItems
            self.cues = cues
        }
    }
}

extension Scenario {
    /// The events that use up a turn.
    enum TurnKind: Sendable, Hashable {
        /// A request that is not of a session.
        case request
        /// The opening of a session.
        case opening
        /// The user's speech within a session.
        case spoken
        /// An answer within a session.
        case answer
    }

    /// Takes one use off a turn.
    mutating func useUp(_ place: Int) {
        if turns[place].times == 1 {
            turns.remove(at: place)
        } else if turns[place].times != .max {
            turns[place].times -= 1
        }
    }
}

extension Scenario.Turn {
    /// The error that refuses the client's request for an answer.
    var refusal: RealtimeProblem? {
        for case .refuse(let code, let message) in faults { return RealtimeProblem(code: code, message: message) }
        return nil
    }

    private var hasStatus: Bool {
        faults.contains { fault in
            if case .status = fault { true } else { false }
        }
    }

    /// The reason why a turn is not for that kind; `nil` if it is.
    func otherKind(than kind: Scenario.TurnKind) -> String? {
        let isTranscript = if case .transcript = reply { true } else { false }
        switch kind {
        case .request: return session != nil || speech != nil ? "it is for a realtime session" : nil
        case .opening: return session != nil || hasStatus ? nil : "it does not open a session"
        case .spoken:
            let isSpoken = speech != nil || isTranscript
            return isSpoken && session == nil && !hasStatus ? nil : "it is not for the user's speech"
        case .answer:
            let isOther = session != nil || hasStatus || speech != nil || isTranscript
            return isOther ? "it is for the user's speech, or for a session's opening" : nil
        }
    }
}
