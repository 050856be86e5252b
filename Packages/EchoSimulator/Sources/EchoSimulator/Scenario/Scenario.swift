// SPDX-License-Identifier: MIT

public import StructuredJSON

/// The simulator's script: expected turns, each with its answer, pace and faults.
///
/// Of the turns that have not been used up, the first that matches a request answers it. Without a match the simulator
/// answers by itself, or refuses, as ``otherwise`` says.
public struct Scenario: Sendable {
    /// The reply to a request that no turn matches.
    public enum Otherwise: String, Sendable, CaseIterable {
        /// A plausible answer.
        case plausible
        /// 400 with the reasons why the turns do not match.
        case refuse
    }

    /// The scenario's name in errors.
    public var name = ""
    /// The server that is simulated.
    public var dialect = Dialect.openAI
    /// Models that exist in addition to the simulator's own.
    public var models: [String] = []
    /// The turns.
    public var turns: [Turn] = []
    /// True if the turns must be used in this order, so that only the first one left may match.
    public var isOrdered = false
    /// The reply to a request that no turn matches.
    public var otherwise = Otherwise.plausible

    /// Answers plausibly until something is set.
    public init() {}

    /// A scenario of these turns.
    public init(_ turns: [Turn], dialect: Dialect = .openAI, otherwise: Otherwise = .plausible) {
        self.turns = turns
        self.dialect = dialect
        self.otherwise = otherwise
    }

    /// One expected request and its answer.
    public struct Turn: Sendable {
        /// The requests that the turn answers.
        public var match: Match
        /// The number of requests that the turn answers; `Int.max` for any number.
        public var times: Int
        /// The answer.
        public var reply: Reply
        /// The failures of the answer.
        public var faults: [Fault]
        /// The speed of the answer.
        public var pace: Pace
        /// The handling of the user's speech before the answer, in `/v1/realtime`.
        public var speech: Speech?
        /// The course of the session that the turn opens, in `/v1/realtime`.
        public var session: Session?

        /// A turn; without arguments it answers one request plausibly.
        public init(
            _ reply: Reply = .plausible, match: Match = Match(), times: Int = 1, faults: [Fault] = [],
            pace: Pace = Pace(), speech: Speech? = nil, session: Session? = nil
        ) {
            self.match = match
            self.times = times
            self.reply = reply
            self.faults = faults
            self.pace = pace
            self.speech = speech
            self.session = session
        }
    }

    /// The reply of a turn.
    public enum Reply: Sendable {
        /// The simulator's own, plausible answer.
        case plausible
        /// Items: text, calls, reasoning.
        case answer(Answer)
        /// Events of `/v1/responses`, word for word; `sequence_number` and the fields of `response` that are left out
        /// are added. A request without `stream` gets the `response` of the last one.
        case events([JSONValue])
        /// A body, word for word.
        case json(JSONValue, status: Int)
        /// The text of a transcription; in `/v1/realtime` the user's words, with a plausible answer.
        case transcript(String)

        /// A message.
        public static func message(_ text: String) -> Reply { .answer(Answer(items: [.message(text)])) }

        /// A call of a function.
        ///
        /// - Parameter arguments: In JSON.
        public static func functionCall(_ name: String, arguments: String) -> Reply {
            .answer(Answer(items: [.functionCall(name: name, arguments: arguments)]))
        }
    }

    /// The speed of an answer.
    public struct Pace: Sendable, Hashable {
        /// The number of characters of a delta; `nil` for a word.
        public var chunk: Int?
        /// The sound of a delta in `/v1/realtime`.
        public var sound: Duration
        /// The wait before each event.
        public var delay: Duration
        /// The wait before the header.
        public var firstDelay: Duration
        /// The wait of an answer of `/v1/realtime` after its last delta, before it ends.
        public var lastDelay: Duration

        /// By default, sends word by word without waiting.
        public init(
            chunk: Int? = nil, sound: Duration = .milliseconds(200), delay: Duration = .zero,
            firstDelay: Duration = .zero, lastDelay: Duration = .zero
        ) {
            self.chunk = chunk
            self.sound = sound
            self.delay = delay
            self.firstDelay = firstDelay
            self.lastDelay = lastDelay
        }
    }
}
