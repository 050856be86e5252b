// SPDX-License-Identifier: MIT

extension TranscriptOrder {
    /// Time limits of the waits.
    struct Limits: Sendable, Hashable, Codable {
        /// For a transcript, since the speech was committed or since the last piece of it. 10 s.
        var transcript: Duration
        /// For more of an answer. 30 s.
        var answer: Duration
        /// For the item that another follows, and for an item about which an event has arrived already. 2 s.
        var predecessor: Duration

        /// Limits; without arguments the defaults.
        init(
            transcript: Duration = .seconds(10), answer: Duration = .seconds(30), predecessor: Duration = .seconds(2)
        ) {
            self.transcript = transcript
            self.answer = answer
            self.predecessor = predecessor
        }
    }

    /// An event about an item that was not announced yet.
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

    /// A message without its transcript, and the parts received since.
    struct Filling: Sendable, Hashable {
        var parts: [Int: String]
        var count: Int
    }

    /// An item that waits for its position, its text or its end.
    struct Item: Sendable, Hashable {
        /// `nil` for an item that is not a message.
        var role: MessageRole?
        /// An item that is not a message, once it is whole.
        var content: ResponseItem?
        /// The number of its parts that are speech without a text.
        var speech = 0
        /// The text, by part; of speech only the transcribed parts.
        var parts: [Int: String] = [:]
        /// Parts whose transcripts are whole.
        var transcribed: Set<Int> = []
        /// True if its text is complete.
        var isWhole = false
        var isInterrupted = false
        var failure: String?
        var responseID: String?
        var deadline = Duration.zero
        /// The order in which items were announced.
        var number = 0

        var text: String { parts.sorted { $0.key < $1.key }.map(\.value).joined() }

        init(role: MessageRole, text: String) {
            self.role = role
            parts = text.isEmpty ? [:] : [0: text]
        }

        /// The user's speech.
        init(speech: Int) {
            role = .user
            self.speech = speech
        }

        init(_ item: ResponseItem) {
            guard case .message(let message) = item else {
                content = item.isWhole ? item : nil
                return
            }
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

extension ResponseItem {
    /// True for a call of a tool with its arguments, and for a result.
    var isWhole: Bool {
        switch self {
        case .functionCall(let call): !call.arguments.isEmpty && call.status != .inProgress
        case .functionCallOutput: true
        default: false
        }
    }
}
