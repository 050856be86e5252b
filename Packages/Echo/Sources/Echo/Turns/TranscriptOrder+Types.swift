// SPDX-License-Identifier: MIT

extension TranscriptOrder {
    /// How long what waits.
    public struct Limits: Sendable, Hashable {
        /// For a transcript, since the speech was committed or since the last piece of it. 10 s.
        public var transcript = Duration.seconds(10)
        /// For more of an answer. 30 s.
        public var answer = Duration.seconds(30)
        /// For the item that another follows, and for an item of which there is already more to know. 2 s.
        public var predecessor = Duration.seconds(2)

        /// The defaults.
        public init() {}
    }

    /// What to do with the queue.
    public enum Operation: Sendable, Hashable {
        /// A message takes its place.
        case insert(id: String, role: MessageRole, text: String, status: TranscriptStatus, at: MessagePlace)
        /// An item that is no message takes its place.
        case keepPlace(id: String, at: MessagePlace)
        /// A message that waits has more text.
        case append(id: String, delta: String)
        /// A message's text is whole.
        case complete(id: String, text: String, isInterrupted: Bool)
        /// A message's text will not come, as far as is known.
        case fail(id: String, reason: String)
        /// The text of a message that was released without one.
        case fill(id: String, text: String)
        /// A message that was not released is gone.
        case remove(id: String)
    }

    /// What came about an item of which nobody has told.
    struct Early: Sendable, Hashable {
        enum News: Sendable, Hashable {
            case transcripts([Int: String])
            case failure(String)
            case answer(String, isInterrupted: Bool)
        }

        var news: News
        var deadline: Duration
        var number: Int
    }

    /// A message without its transcript, and what has come of it.
    struct Filling: Sendable, Hashable {
        var parts: [Int: String]
        var count: Int
    }

    /// An item that waits for its place, its text or its end.
    struct Item: Sendable, Hashable {
        /// `nil` for one that is no message.
        var role: MessageRole?
        /// How many parts of it are speech without a text.
        var speech = 0
        /// The text, by part; of speech only what was transcribed.
        var parts: [Int: String] = [:]
        /// Parts whose transcripts are whole.
        var transcribed: Set<Int> = []
        /// True if its text is whole as it is.
        var isWhole = false
        var isInterrupted = false
        var failure: String?
        var responseID: String?
        var deadline = Duration.zero
        /// The order in which items were told of.
        var number = 0

        var text: String { parts.sorted { $0.key < $1.key }.map(\.value).joined() }

        init(role: MessageRole, text: String) {
            self.role = role
            parts = text.isEmpty ? [:] : [0: text]
        }

        /// What the user says.
        init(speech: Int) {
            role = .user
            self.speech = speech
        }

        init(_ item: RealtimeItem) {
            guard case .message(let message) = item else { return }
            role = message.role == .user ? .user : message.role == .assistant ? .assistant : .system
            for (index, part) in message.content.enumerated() {
                if case .inputAudio(_, nil) = part { speech += 1 }
                if let text = part.text, !text.isEmpty { parts[index] = text }
            }
            isWhole = role == .assistant ? !parts.isEmpty && message.status != .inProgress : speech == 0
            isInterrupted = message.status == .incomplete
        }
    }
}
