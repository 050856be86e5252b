// SPDX-License-Identifier: MIT

public import StructuredJSON

/// What the simulator answers: expected turns, each with its answer, pace and faults.
///
/// Of the turns that have not been used up, the first that matches a request answers it. Without a match the simulator
/// answers by itself, or refuses, as ``otherwise`` says.
public struct Scenario: Sendable {
    /// What happens to a request that no turn matches.
    public enum Otherwise: String, Sendable, CaseIterable {
        /// A plausible answer.
        case plausible
        /// 400 with the reasons why the turns do not match.
        case refuse
    }

    /// What it is called in errors.
    public var name = ""
    /// Whose server is simulated.
    public var dialect = Dialect.openAI
    /// Models that exist beside those that the simulator knows.
    public var models: [String] = []
    /// The turns.
    public var turns: [Turn] = []
    /// True if the turns come in this order, so that only the first one left may match.
    public var isOrdered = false
    /// What happens to a request that no turn matches.
    public var otherwise = Otherwise.plausible

    /// Plausible answers, until something is set.
    public init() {}

    /// A scenario of these turns.
    public init(_ turns: [Turn], dialect: Dialect = .openAI, otherwise: Otherwise = .plausible) {
        self.turns = turns
        self.dialect = dialect
        self.otherwise = otherwise
    }

    /// One expected request and its answer.
    public struct Turn: Sendable {
        /// Which requests it answers.
        public var match: Match
        /// How many requests it answers; `Int.max` for any number.
        public var times: Int
        /// What it answers.
        public var reply: Reply
        /// What goes wrong meanwhile.
        public var faults: [Fault]
        /// How fast it answers.
        public var pace: Pace
        /// What happens to the user's speech before it, in `/v1/realtime`.
        public var speech: Speech?
        /// What happens to the session that it opens, in `/v1/realtime`.
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

    /// What a turn answers.
    public enum Reply: Sendable {
        /// What the simulator thinks of by itself.
        case plausible
        /// Items: text, calls, reasoning.
        case answer(Answer)
        /// Events of `/v1/responses`, word for word; `sequence_number` and the fields of `response` that are left out
        /// are added. A request without `stream` gets the `response` of the last one.
        case events([JSONValue])
        /// A body, word for word.
        case json(JSONValue, status: Int)
        /// The text of a transcription; in `/v1/realtime` what the user said, with a plausible answer.
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

    /// How fast an answer comes.
    public struct Pace: Sendable, Hashable {
        /// How many characters a delta has; `nil` for a word.
        public var chunk: Int?
        /// How long to wait before each event.
        public var delay: Duration
        /// How long to wait before the header.
        public var firstDelay: Duration

        /// Word by word, without waiting, unless told otherwise.
        public init(chunk: Int? = nil, delay: Duration = .zero, firstDelay: Duration = .zero) {
            self.chunk = chunk
            self.delay = delay
            self.firstDelay = firstDelay
        }
    }
}
