// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Something to say out loud, for practice.
public struct Cue: Identifiable, Hashable, Sendable {
    /// The most characters that a cue's text may have.
    public static let textLimit = 500
    /// The levels that there are: 1 is a beginner's, 6 a native speaker's (the CEFR's A1 to C2).
    public static let levels = 1...6

    /// The cue's name, the same on every device and on the server.
    public let id: Identifier<Cue>
    /// What is to be said.
    public let text: String
    /// The language of the text.
    public let language: LanguageTag
    /// What it is about, one word in lower case: "greetings".
    public let topic: String
    /// How hard it is, one of ``levels``.
    public let level: Int
    /// What it means, or how to say it; for the reader, not to be said.
    public let hint: String?
    /// When it was added to the catalogue (millisecond resolution); cues are listed in this order.
    public let createdAt: Date

    /// Makes a cue; `nil` when the text is blank or longer than ``textLimit``, the topic is blank, or there is no such level.
    public init?(
        id: Identifier<Cue> = .init(), text: String, language: LanguageTag, topic: String, level: Int,
        hint: String? = nil,
        createdAt: Date
    ) {
        guard text.contains(where: { !$0.isWhitespace }), text.count <= Self.textLimit,
            topic.contains(where: { !$0.isWhitespace }), topic.count <= 60, Self.levels.contains(level),
            createdAt.timeIntervalSince1970.isFinite
        else { return nil }
        self.id = id
        self.text = text
        self.language = language
        self.topic = topic
        self.level = level
        self.hint = hint
        self.createdAt = createdAt
    }
}
