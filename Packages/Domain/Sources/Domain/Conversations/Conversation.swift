// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A series of turns that belong together.
public struct Conversation: Identifiable, Hashable, Sendable {
    /// The conversation's name.
    public let id: Identifier<Conversation>
    /// When its first turn began (wall clock, millisecond resolution once stored).
    public let startedAt: Date

    /// Makes a conversation; a new one has a new name.
    public init(id: Identifier<Conversation> = .init(), startedAt: Date) {
        self.id = id
        self.startedAt = startedAt
    }
}
