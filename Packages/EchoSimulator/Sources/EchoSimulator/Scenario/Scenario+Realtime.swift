// SPDX-License-Identifier: MIT

public import StructuredJSON

extension Scenario {
    /// What happens to the user's spoken turn in `/v1/realtime`.
    public struct Speech: Sendable, Hashable {
        /// When the transcript comes, seen from the answer.
        public enum Moment: String, Sendable, CaseIterable {
            /// Before the answer begins, which waits for it.
            case before
            /// Right after the first piece of the answer.
            case during
            /// After the answer's `response.done`.
            case after
        }

        /// What becomes of the transcript.
        public enum Outcome: String, Sendable, CaseIterable {
            /// It comes.
            case completed
            /// It fails.
            case failed
            /// It never comes.
            case missing
            /// It comes twice.
            case duplicate
        }

        /// What the user said; `nil` leaves it to the simulator.
        public var transcript: String?
        /// When the transcript comes.
        public var moment: Moment
        /// How much later still.
        public var delay: Duration
        /// What becomes of it.
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

    /// What happens to a whole session of `/v1/realtime`. The faults of its turn count the session's events.
    public struct Session: Sendable, Hashable {
        /// After how long it expires; `nil` as the configuration says.
        public var expiresAfter: Duration?
        /// What `rate_limits.updated` says; `nil` for plenty.
        public var rateLimits: [JSONValue]?

        /// A session.
        public init(expiresAfter: Duration? = nil, rateLimits: [JSONValue]? = nil) {
            self.expiresAfter = expiresAfter
            self.rateLimits = rateLimits
        }
    }
}

extension Scenario {
    /// What a turn is used up by.
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
    private var hasStatus: Bool {
        faults.contains { fault in
            if case .status = fault { true } else { false }
        }
    }

    /// Why a turn is not for that; `nil` if it is.
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
