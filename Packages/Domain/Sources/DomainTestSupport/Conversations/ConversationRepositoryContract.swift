// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The contract of ``ConversationRepository``, checked on an empty repository.
public enum ConversationRepositoryContract {
    /// Every promise.
    public static let checks: [ContractCheck<any ConversationRepository>] = storingChecks + savingChecks + listingChecks

    private static let storingChecks: [ContractCheck<any ConversationRepository>] = [
        .init("an unknown conversation is absent and has no messages") { repository in
            let id = Identifier<Conversation>()
            try await require(repository.conversation(id) == nil, "found what was never stored")
            try await require(repository.messages(in: id).isEmpty, "messages out of nothing")
            try await require(repository.recentMessages(limit: 10).isEmpty, "recent messages out of nothing")
        },
        .init("what is appended is read back, in order, unchanged") { repository in
            let conversation = Conversation(startedAt: at(1000))
            let messages = ["What is the capital of Texas?", "Austin. 😀 e\u{301} \"quoted\"", ""].enumerated().map {
                message($1, in: conversation, at: 1000 + Double($0))
            }
            try await repository.append(Array(messages.prefix(1)), to: conversation)
            try await repository.append(Array(messages.dropFirst()), to: conversation)
            try await require(repository.conversation(conversation.id) == conversation, "the conversation changed")
            try await require(repository.messages(in: conversation.id) == messages, "the messages changed")
        },
        .init("a message stored twice is stored once and keeps its first text") { repository in
            let conversation = Conversation(startedAt: at(0))
            let first = message("first", in: conversation, at: 0)
            let again = Message(
                id: first.id, conversation: conversation.id, turn: first.turn, role: .assistant, modality: .voice,
                text: "second", createdAt: at(9))
            try await repository.append([first], to: conversation)
            try await repository.append([again], to: conversation)
            try await require(repository.messages(in: conversation.id) == [first], "overwritten or doubled")
        },
        .init("conversations are kept apart, recent messages run across them") { repository in
            let one = Conversation(startedAt: at(0))
            let two = Conversation(startedAt: at(1))
            let messages = [
                message("a", in: one, at: 0), message("b", in: two, at: 1), message("c", in: one, at: 2),
            ]
            for message in messages {
                try await repository.append([message], to: message.conversation == one.id ? one : two)
            }
            try await require(repository.messages(in: two.id) == [messages[1]], "conversations mixed")
            try await require(repository.recentMessages(limit: 2) == Array(messages.suffix(2)), "wrong recent ones")
            try await require(repository.recentMessages(limit: 0).isEmpty, "a limit of 0 returned something")
        },
        .init("the newest messages are those stored last, whatever their times say") { repository in
            let conversation = Conversation(startedAt: at(0))
            // The first append has the later times, as after a correction of the clock.
            let messages = [("a", 9), ("b", 8), ("c", 1), ("d", 2)].map { message($0, in: conversation, at: $1) }
            try await repository.append(Array(messages.prefix(2)), to: conversation)
            try await repository.append(Array(messages.suffix(2)), to: conversation)
            try await require(repository.recentMessages(limit: 3) == Array(messages.suffix(3)), "sorted by time")
            try await require(repository.messages(in: conversation.id) == messages, "sorted by time")
        },
        .init("the best match comes first, and of equal ones the first stored") { repository in
            let conversation = Conversation(startedAt: at(0))
            let rest = "There was much else to say that day, about the weather, the food and the long way home."
            let texts = ["Austin is far. \(rest) \(rest)", "Austin is far.", rest, "Austin is far.", "Nothing else."]
            let messages = texts.enumerated().map { message($1, in: conversation, at: Double($0)) }
            try await repository.append(messages, to: conversation)
            let found = try await repository.search("austin", limit: 9)
            try require(found == [messages[1], messages[3], messages[0]], "in the order \(found.map(\.text))")
            try await require(repository.search("austin", limit: 1) == [messages[1]], "the limit took a worse one")
        },
        .init("search finds whole words in any order, without case and accents") { repository in
            let conversation = Conversation(startedAt: at(0))
            let texts = ["The capital of Texas is Austin.", "Texans like tacos", "Café in Austin"]
            let messages = texts.enumerated().map { message($1, in: conversation, at: Double($0)) }
            try await repository.append(messages, to: conversation)
            try await require(repository.search("austin TEXAS", limit: 9) == [messages[0]], "both words, any order")
            try await require(repository.search("cafe", limit: 9) == [messages[2]], "accents")
            try await require(repository.search("Texa", limit: 9).isEmpty, "a part of a word matched")
            try await require(repository.search("austin", limit: 1).count == 1, "the limit was not kept")
        },
        .init("nothing that is searched for is an operator") { repository in
            let conversation = Conversation(startedAt: at(0))
            try await repository.append([message("plain words", in: conversation, at: 0)], to: conversation)
            for words in ["", "   ", "\"", "*", "a OR", "NEAR(", "text:", "-plain", "'; DROP TABLE message; --", "^"] {
                _ = try await repository.search(words, limit: 5)
            }
            try await require(repository.search("plain\" OR \"x", limit: 5).isEmpty, "an operator was obeyed")
            try await require(repository.search("\"words\"", limit: 5).count == 1, "quotes hid a word")
        },
        .init("concurrent appends are all kept") { repository in
            let conversation = Conversation(startedAt: at(0))
            try await concurrently(50) { number in
                try await repository.append(
                    [message("m\(number)", in: conversation, at: Double(number))], to: conversation)
            }
            try await require(
                Set(repository.messages(in: conversation.id).map(\.text)).count == 50, "some are missing")
        },
        .init("a cancelled append stores nothing and says so") { repository in
            let conversation = Conversation(startedAt: at(0))
            try await requireCancelled {
                try await repository.append([message("late", in: conversation, at: 0)], to: conversation)
            }
            try await require(repository.recentMessages(limit: 1).isEmpty, "stored all the same")
        },
    ]

    static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    static func message(_ text: String, in conversation: Conversation, at seconds: Double) -> Message {
        Message(
            conversation: conversation.id, turn: TurnID(), role: .user, modality: .text, text: text,
            createdAt: at(seconds))
    }
}
