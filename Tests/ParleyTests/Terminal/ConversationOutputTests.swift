// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Testing

@testable import parley

@Suite struct ConversationOutputTests {
    private let conversation = Conversation(startedAt: Date(timeIntervalSince1970: 0))

    private func summary(title: String? = nil, question: String? = nil) -> ConversationSummary {
        ConversationSummary(
            conversation: conversation, title: title, firstQuestion: question,
            updatedAt: Date(timeIntervalSince1970: 60), messageCount: 2, isPinned: false)
    }

    private func message(
        _ role: Message.Role, _ text: String, _ state: Message.State = .whole, source: AnswerSource? = nil,
        call: Message.ToolExchange? = nil
    ) -> Message {
        Message(
            conversation: conversation.id, turn: TurnID(), role: role, modality: .text, text: text,
            createdAt: Date(timeIntervalSince1970: 1), state: state, source: source, toolCall: call)
    }

    @Test func `a long question is shortened, a title is not`() {
        let long = String(repeating: "long ", count: 30)
        #expect(summary(question: long).heading == String(repeating: "long ", count: 11) + "long…")
        #expect(summary(title: long.trimmingCharacters(in: .whitespaces)).heading.count == 149)
        #expect(summary(question: " two\n\u{1B}[31mlines ").heading == "two [31mlines")
        #expect(summary().heading == "Untitled")
    }

    @Test func `Markdown has every message, call and state`() {
        let call = Message.ToolExchange(callID: "1", name: "weather", arguments: #"{"city":"Austin"}"#)
        let text = ConversationOutput(
            summary(title: "Weather"),
            [
                message(.user, "How is it?"), message(.tool, "a ```` fence", call: call),
                message(.tool, "", .partial, call: call),
                message(.assistant, "Sunny, I", .interrupted(heard: 5), source: .model("large")),
            ]
        ).markdown
        #expect(
            text == """
                # Weather

                Started 1970-01-01T00:00:00Z, 2 messages, id `\(conversation.id)`.

                ## You, 1970-01-01T00:00:01Z

                How is it?

                ### weather, 1970-01-01T00:00:01Z

                ```json
                {"city":"Austin"}
                ```
                `````
                a ```` fence
                `````

                ### weather, 1970-01-01T00:00:01Z

                ```json
                {"city":"Austin"}
                ```
                ```

                ```

                *No result.*

                ## Parley (model:large), 1970-01-01T00:00:01Z

                Sunny, I

                *Interrupted; 5 characters were heard.*

                """)
    }
}
