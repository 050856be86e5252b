// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// The conversation that a command begins with.
enum ConversationStart: Sendable {
    case new
    case last
    case named(NamePrefix)

    private static let continued = Flag("continue", help: "Go on with the last conversation")
    private static let conversation = ValueOption<NamePrefix>(
        "conversation", placeholder: "NAME",
        help: "Go on with this conversation (parley conversations list shows names)",
        expected: NamePrefix.form("parley conversations list"), parse: NamePrefix.init)
    /// The options that choose it.
    static let options: [any CommandOption] = [continued, conversation]

    init(_ invocation: Invocation) throws(UsageError) {
        switch (invocation[Self.conversation], invocation.has(Self.continued)) {
        case (nil, false): self = .new
        case (nil, true): self = .last
        case (let name?, false): self = .named(name)
        case (_?, true): throw invocation.error("--continue and --conversation do not go together.")
        }
    }

    /// The conversation, with all that was said in it.
    ///
    /// - Throws: `DomainError.notFound`, or an error of the store.
    func open(in app: CompositionRoot, _ console: Console) async throws -> OngoingConversation {
        if case .new = self { return OngoingConversation(Conversation(startedAt: .now)) }
        let store = try await app.conversations()
        let stored =
            switch self {
            case .named(let name): try await store.summaries([name]).first
            case .new, .last: try await store.summaries(pinned: nil, after: nil, limit: 1).summaries.first
            }
        guard let stored else { throw DomainError.notFound("conversation") }
        let (heading, count) = (stored.heading.printable, stored.messageCount)
        console.progress(
            Sentence(
                one: "Going on with \"\(heading)\", \(count) message.",
                other: "Going on with \"\(heading)\", \(count) messages.",
                count: count), .muted)
        return OngoingConversation(stored.conversation, messages: try await store.messages(in: stored.id))
    }
}
