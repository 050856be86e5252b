// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A text to say out loud, for practice.
public struct Cue: Identifiable, Hashable, Sendable {
    /// The most characters that a cue's text may have.
    public static let textLimit = 500
    /// The range of levels: 1 is a beginner's, 6 a native speaker's (the CEFR's A1 to C2).
    public static let levels = 1...6

    /// The cue's id, the same on every device and on the server.
    public let id: Identifier<Cue>
    /// The text to say.
    public let text: String
    /// The language of the text.
    public let language: LanguageTag
    /// The subject, one word in lower case: "greetings".
    public let topic: String
    /// The difficulty, one of ``levels``.
    public let level: Int
    /// The meaning or the pronunciation, for the reader; not to be said.
    public let hint: String?
    /// The time of its addition to the catalogue (millisecond resolution); cues are listed in this order.
    public let createdAt: Date

    /// Makes a cue; `nil` if the text is blank or longer than ``textLimit``, the topic is blank, or the level is not
    /// one of ``levels``.
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
