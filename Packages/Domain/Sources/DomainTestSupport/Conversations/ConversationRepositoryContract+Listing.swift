// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials
import TestKit

extension ConversationRepositoryContract {
    /// The promises about the list of conversations.
    static let listingChecks: [ContractCheck<any ConversationRepository>] = [
        .init("an empty list has one empty page") { repository in
            let page = try await repository.summaries(pinned: nil, after: nil, limit: 5)
            try require(page == ConversationPage(summaries: [], next: nil), "\(page)")
            try await require(repository.summary(.init()) == nil, "the summary of nothing")
        },
        .init("a summary has the first question, the last time and the count") { repository in
            let conversation = Conversation(startedAt: at(5))
            let answer = Message(
                conversation: conversation.id, turn: TurnID(), role: .assistant, modality: .text, text: "Hello.",
                createdAt: at(5))
            let questions = [message("first", in: conversation, at: 9), message("second", in: conversation, at: 7)]
            try await repository.append([answer] + questions, to: conversation)
            let expected = ConversationSummary(
                conversation: conversation, title: nil, firstQuestion: "first", updatedAt: at(7), messageCount: 3,
                isPinned: false)
            try await require(repository.summary(conversation.id) == expected, "another summary")
            let page = try await repository.summaries(pinned: nil, after: nil, limit: 1)
            try require(page == ConversationPage(summaries: [expected], next: nil), "\(page)")
        },
        .init("a title and a pin are kept until they are taken away") { repository in
            let conversation = Conversation(startedAt: at(0))
            try await repository.append([message("a", in: conversation, at: 0)], to: conversation)
            try await repository.rename(conversation.id, to: "Über 'uns' ☀️")
            try await repository.setPinned(true, conversation.id)
            try await repository.append([message("b", in: conversation, at: 1)], to: conversation)
            var summary = try await repository.summary(conversation.id)
            try require(summary?.title == "Über 'uns' ☀️" && summary?.isPinned == true, "not kept")
            try await repository.rename(conversation.id, to: nil)
            try await repository.setPinned(false, conversation.id)
            summary = try await repository.summary(conversation.id)
            try require(summary?.title == nil && summary?.isPinned == false, "not taken away")
            try await requireError(code: "notFound") { try await repository.rename(.init(), to: "x") }
            try await requireError(code: "notFound") { try await repository.setPinned(true, .init()) }
        },
        .init("the newest message decides the order, and pinned ones can be listed alone") { repository in
            let conversations = (0..<4).map { Conversation(startedAt: at(Double($0))) }
            for index in [0, 1, 2, 3, 1] {
                try await repository.append([message("m", in: conversations[index], at: 0)], to: conversations[index])
            }
            try await repository.setPinned(true, conversations[2].id)
            try await repository.setPinned(true, conversations[0].id)
            for (pinned, expected) in [(nil, [1, 3, 2, 0]), (true, [2, 0]), (false, [1, 3])] as [(Bool?, [Int])] {
                let page = try await repository.summaries(pinned: pinned, after: nil, limit: 9)
                try require(
                    page.summaries.map(\.id) == expected.map { conversations[$0].id }, "pinned: \(pinned as Any)")
                try require(page.next == nil, "more behind the end")
            }
        },
        .init("pages of any length show each conversation once, whatever changes meanwhile") { repository in
            for seed: UInt64 in 1...12 {
                var generator = SeededGenerator(seed: seed)
                try await readWhileChanging(repository, &generator, seed)
                _ = try await repository.deleteAll()
            }
        },
    ]

    /// Reads the list page by page and changes the store after each one.
    private static func readWhileChanging(
        _ repository: any ConversationRepository, _ generator: inout SeededGenerator, _ seed: UInt64
    ) async throws {
        var known: [Conversation] = []
        for _ in 0..<Int.random(in: 1...25, using: &generator) { try await touch(&known, repository, &generator) }
        let first = try await repository.summaries(pinned: nil, after: nil, limit: .max)
        var left = Set(first.summaries.map(\.id))
        var listed: [Identifier<Conversation>] = []
        var cursor: ConversationCursor?
        repeat {
            let limit = Int.random(in: 1...6, using: &generator)
            let page = try await repository.summaries(pinned: nil, after: cursor, limit: limit)
            try require(page.summaries.count <= limit, "seed \(seed): a page of \(page.summaries.count)")
            listed += page.summaries.map(\.id)
            cursor = try page.next.map { next in
                guard let parsed = ConversationCursor(next.description) else {
                    throw BrokenContract(description: "seed \(seed): the cursor \(next) is not read back")
                }
                return parsed
            }
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                let chosen = known.randomElement(using: &generator)
                switch Int.random(in: 0...4, using: &generator) {
                case 0:
                    guard let chosen else { continue }
                    _ = try await repository.delete(chosen.id)
                    left.remove(chosen.id)
                    known.removeAll { $0.id == chosen.id }
                case 1:
                    guard let chosen else { continue }
                    try await repository.setPinned(Bool.random(using: &generator), chosen.id)
                default: try await touch(&known, repository, &generator)
                }
            }
        } while cursor != nil
        let order = first.summaries.map(\.id).filter(Set(listed).contains)
        try require(listed == order, "seed \(seed): doubled, new or in another order")
        try require(left.isSubset(of: listed), "seed \(seed): \(left.subtracting(listed).count) are missing")
    }

    /// Appends to a new or a known conversation.
    private static func touch(
        _ known: inout [Conversation], _ repository: any ConversationRepository, _ generator: inout SeededGenerator
    ) async throws {
        let isNew = known.isEmpty || Bool.random(using: &generator)
        let conversation =
            isNew ? Conversation(startedAt: at(0)) : known[Int.random(in: known.indices, using: &generator)]
        if isNew { known.append(conversation) }
        try await repository.append([message("m", in: conversation, at: 0)], to: conversation)
    }
}
