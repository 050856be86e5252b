// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

extension ConversationRepositoryContract {
    /// The promises about answers that grow, and about deleting.
    static let savingChecks: [ContractCheck<any ConversationRepository>] = [
        .init("everything about a message is read back") { repository in
            let conversation = Conversation(startedAt: at(0))
            let messages = everyKind(in: conversation)
            try await repository.append(messages, to: conversation)
            try await require(repository.messages(in: conversation.id) == messages, "something changed by append")
            let again = everyKind(in: conversation)
            for message in again { try await repository.save(message, in: conversation) }
            try await require(repository.messages(in: conversation.id) == messages + again, "something changed by save")
        },
        .init("the files of a question come with the messages of its conversation, and nowhere else") { repository in
            let conversation = Conversation(startedAt: at(0))
            var question = message("this zebra", in: conversation, at: 1)
            question.attachments = [
                Attachment(name: "b.png", bytes: [0, 255, 10]), Attachment(name: "a.txt", bytes: []),
            ]
            try await repository.append([question, message("other", in: conversation, at: 2)], to: conversation)
            var saved = question
            saved.attachments = []
            try await repository.save(saved, in: conversation)
            let read = try await repository.messages(in: conversation.id)
            try require(read.map(\.attachments) == [question.attachments, []], "\(read.map(\.attachments))")
            question.attachments = [Attachment(name: "c.txt", bytes: [1])]
            try await repository.save(question, in: conversation)
            let later = try await repository.messages(in: conversation.id)
            try require(later.map(\.attachments) == [question.attachments, []], "\(later.map(\.attachments))")
            try await require(repository.recentMessages(limit: 9).allSatisfy(\.attachments.isEmpty), "read for a list")
            try await require(repository.search("zebra", limit: 9) == [saved], "read for a search")
            _ = try await repository.delete([question.turn])
            try await repository.append([question], to: conversation)
            let again = try await repository.messages(in: conversation.id).first { $0.id == question.id }
            try require(again?.attachments == question.attachments, "files of a deleted message stay")
        },
        .init("an answer grows at its position") { repository in
            let conversation = Conversation(startedAt: at(0))
            var answer = message("Aus", in: conversation, at: 1)
            answer.state = .partial
            let other = message("meanwhile", in: conversation, at: 2)
            try await repository.save(answer, in: conversation)
            try await repository.append([other], to: conversation)
            answer.text = "Austin."
            (answer.state, answer.source) = (.whole, .model("large"))
            answer.usage = AnswerUsage(inputTokens: 3, outputTokens: 2, cost: nil)
            try await repository.save(answer, in: conversation)
            try await repository.append([message("ignored", in: conversation, id: answer.id)], to: conversation)
            try await require(repository.messages(in: conversation.id) == [answer, other], "moved or doubled")
        },
        .init("only the variable parts of a message are replaced") { repository in
            let (conversation, elsewhere) = (Conversation(startedAt: at(0)), Conversation(startedAt: at(1)))
            var first = message("first", in: conversation, at: 0)
            try await repository.save(first, in: conversation)
            try await repository.save(message("second", in: elsewhere, id: first.id), in: elsewhere)
            first.text = "second"
            try await require(repository.recentMessages(limit: 9) == [first], "the message moved")
        },
        .init("search follows an answer that is replaced") { repository in
            let conversation = Conversation(startedAt: at(0))
            var answer = message("The zebra", in: conversation, at: 0)
            for text in ["The zebra grazes", "The giraffe grazes", "The giraffe"] {
                answer.text = text
                try await repository.save(answer, in: conversation)
            }
            try await require(repository.search("zebra", limit: 9).isEmpty, "a replaced word is found")
            try await require(repository.search("grazes", limit: 9).isEmpty, "a removed word is found")
            try await require(repository.search("giraffe", limit: 9) == [answer], "the new word is not found once")
        },
        .init("growing answers and appends at once are all kept") { repository in
            let conversation = Conversation(startedAt: at(0))
            try await concurrently(20) { number in
                var answer = message("0", in: conversation, at: Double(number))
                for part in 1...5 {
                    try await repository.save(answer, in: conversation)
                    try await repository.append([message("between", in: conversation, at: 0)], to: conversation)
                    answer.text += " \(part)"
                }
                try await repository.save(answer, in: conversation)
            }
            let texts = try await repository.messages(in: conversation.id).map(\.text)
            try require(texts.count == 120, "\(texts.count) of 120 messages")
            try require(texts.count { $0 == "0 1 2 3 4 5" } == 20, "an answer is not whole")
        },
        .init("turns are deleted whole, and with the last one the conversation") { repository in
            let (one, two) = (Conversation(startedAt: at(0)), Conversation(startedAt: at(1)))
            let question = message("zebra?", in: one, at: 0)
            let answer = Message(
                conversation: one.id, turn: question.turn, role: .assistant, modality: .text, text: "zebra!",
                createdAt: at(1))
            let other = message("other", in: two, at: 2)
            try await repository.append([question, answer], to: one)
            try await repository.append([other], to: two)
            try await require(repository.delete([TurnID()]) == 0, "an unknown turn was counted")
            try await require(repository.delete([question.turn]) == 2, "not both messages")
            try await require(repository.recentMessages(limit: 9) == [other], "not these messages")
            try await require(repository.conversation(one.id) == nil, "the empty conversation is left")
            try await require(repository.search("zebra", limit: 9).isEmpty, "a deleted word is found")
        },
        .init("a conversation is deleted with its messages, title and pin") { repository in
            let (one, two) = (Conversation(startedAt: at(0)), Conversation(startedAt: at(1)))
            try await repository.append([message("zebra", in: one, at: 0)], to: one)
            try await repository.append([message("other", in: two, at: 0)], to: two)
            try await repository.rename(one.id, to: "Animals")
            try await repository.setPinned(true, one.id)
            try await require(repository.delete(one.id) == 1, "not one message")
            try await require(repository.delete(one.id) == 0, "deleted twice")
            try await require(repository.summary(one.id) == nil, "it is still there")
            try await require(repository.search("zebra", limit: 9).isEmpty, "a deleted word is found")
            try await repository.append([message("anew", in: one, at: 0)], to: one)
            let summary = try await repository.summary(one.id)
            try require(summary?.title == nil && summary?.isPinned == false, "the title or the pin came back")
            try await require(repository.deleteAll() == 2, "not both messages")
            try await require(repository.recentMessages(limit: 9).isEmpty, "messages are left")
        },
        .init("a cancelled change changes nothing and says so") { repository in
            let conversation = Conversation(startedAt: at(0))
            let stored = message("stored", in: conversation, at: 0)
            try await repository.append([stored], to: conversation)
            var changed = stored
            changed.text = "changed"
            let saved = changed
            try await requireCancelled { try await repository.save(saved, in: conversation) }
            try await requireCancelled { try await repository.rename(conversation.id, to: "title") }
            try await requireCancelled { try await repository.setPinned(true, conversation.id) }
            try await requireCancelled { _ = try await repository.delete(conversation.id) }
            try await requireCancelled { _ = try await repository.delete([stored.turn]) }
            try await requireCancelled { _ = try await repository.deleteAll() }
            try await require(repository.messages(in: conversation.id) == [stored], "changed all the same")
            let summary = try await repository.summary(conversation.id)
            try require(summary?.title == nil && summary?.isPinned == false, "renamed or pinned all the same")
        },
    ]

    private static func message(
        _ text: String, in conversation: Conversation, id: Identifier<Message>
    ) -> Message {
        Message(
            id: id, conversation: conversation.id, turn: TurnID(), role: .assistant, modality: .voice, text: text,
            createdAt: at(99))
    }

    /// A message for each role, state, source and optional part.
    private static func everyKind(in conversation: Conversation) -> [Message] {
        let states: [Message.State] = [.whole, .partial, .interrupted(heard: nil), .interrupted(heard: 7)]
        let sources: [AnswerSource] = [.intent("setTimer"), .states, .cache, .model("a:b"), .tool("")]
        let usages = [
            AnswerUsage(inputTokens: 0, outputTokens: 0, cost: nil),
            AnswerUsage(inputTokens: 12, outputTokens: 345, cost: 0.00125),
        ]
        let calls = [false, true].map {
            Message.ToolExchange(callID: "call 1", name: "weather", arguments: #"{"city":"Zürich"}"#, isError: $0)
        }
        func make(
            _ role: Message.Role, _ state: Message.State = .whole, source: AnswerSource? = nil, device: String? = nil,
            usage: AnswerUsage? = nil, call: Message.ToolExchange? = nil
        ) -> Message {
            Message(
                conversation: conversation.id, turn: TurnID(), role: role, modality: .voice, text: "text",
                createdAt: at(1), state: state, source: source, device: device, usage: usage, toolCall: call)
        }
        return states.map { make(.assistant, $0) } + sources.map { make(.assistant, source: $0) }
            + usages.map { make(.assistant, usage: $0) } + calls.map { make(.tool, .partial, call: $0) }
            + [make(.user, device: "laptop"), make(.tool)]
    }
}
