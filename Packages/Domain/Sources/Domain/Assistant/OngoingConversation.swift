// SPDX-License-Identifier: MIT

/// A conversation that goes on, with what was said in it so far.
///
/// It is filled by ``AnswerQuestion``, so that a question can be understood from those before it also where the store
/// cannot be read.
public actor OngoingConversation {
    /// The conversation.
    public nonisolated let conversation: Conversation
    /// Its messages, in the order in which they came.
    public private(set) var messages: [Message]

    /// A conversation, by default a new one.
    public init(_ conversation: Conversation, messages: [Message] = []) {
        self.conversation = conversation
        self.messages = messages
    }

    /// Adds messages; one with the id of an earlier message replaces it.
    func note(_ newer: [Message]) {
        for message in newer {
            if let place = messages.lastIndex(where: { $0.id == message.id }) {
                messages[place] = message
            } else {
                messages.append(message)
            }
        }
    }

    /// The last answer of a turn; nil if it has none.
    func answer(of turn: TurnID) -> Message? { messages.last { $0.turn == turn && $0.role == .assistant } }
}
