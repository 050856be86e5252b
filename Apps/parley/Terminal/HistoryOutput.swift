// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// Messages as a list, or as `{"messages":[…]}`.
struct HistoryOutput: Encodable {
    private let messages: [Entry]

    /// Copies the messages in their order.
    init(_ messages: [Message]) {
        self.messages = messages.map(Entry.init)
    }

    /// Shows the list.
    func write(to console: Console) throws {
        for entry in messages {
            let who = entry.role == "user" ? console.styled("you   ", .cyan) : console.styled("parley", .green)
            try console.show("\(console.styled(entry.time, .dim))  \(who)  \(entry.text.printable)")
        }
        try console.emit(self)
    }

    private struct Entry: Encodable {
        let id: String
        let conversation: String
        let turn: String
        let role: String
        let modality: String
        let text: String
        let time: String

        init(_ message: Message) {
            id = message.id.description
            conversation = message.conversation.description
            turn = message.turn.description
            role = message.role.rawValue
            modality = message.modality.rawValue
            text = message.text
            time = message.createdAt.formatted(.iso8601)
        }
    }
}
