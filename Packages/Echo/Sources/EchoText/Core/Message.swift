// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A message of a conversation.
public struct Message: Sendable, Hashable, Identifiable {
    /// Identifies the message within its conversation; for a spoken one it is the id of the server's item.
    public let id: String
    /// The author.
    public let role: MessageRole
    /// The text; the text so far, while ``transcriptStatus`` is `inProgress`.
    public internal(set) var text: String
    /// The position in the conversation, counted from 0. It is final once the message is finalised; until then another
    /// may still be inserted before it.
    public internal(set) var sequenceNumber: Int
    /// The state of the text.
    public internal(set) var transcriptStatus: TranscriptStatus
    /// The sound of the message, if its creator kept it. A conversation keeps none.
    public let audioData: Data?
    /// The reason for a missing transcript; `nil` if the text is there.
    public internal(set) var transcriptFailure: String?
    /// True if the user cut the answer short: ``text`` is the part until then.
    public internal(set) var isInterrupted: Bool
    /// The reason for which the model broke off, such as `max_output_tokens` or `content_filter`; `nil` if it did not.
    public internal(set) var incompleteReason: String?
    /// The time at which the message began.
    public let createdAt: Date

    /// A message.
    public init(
        id: String, role: MessageRole, text: String, sequenceNumber: Int = 0,
        audioData: Data? = nil, transcriptStatus: TranscriptStatus = .notApplicable, isInterrupted: Bool = false,
        createdAt: Date
    ) {
        self.id = id
        self.role = role
        self.text = text
        self.sequenceNumber = sequenceNumber
        self.audioData = audioData
        self.transcriptStatus = transcriptStatus
        self.isInterrupted = isInterrupted
        self.createdAt = createdAt
    }
}
