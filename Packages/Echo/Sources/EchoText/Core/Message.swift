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

/// The author of a message.
public enum MessageRole: String, Sendable, Hashable, CaseIterable, Codable {
    case user
    case assistant
    /// Text that the program adds, such as a summary of the past.
    case system
}

/// The state of a message's text.
public enum TranscriptStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// The message has sound, and no text yet.
    case notStarted
    /// The text is incomplete.
    case inProgress
    /// The text is complete; or it will never arrive, and ``Message/transcriptFailure`` says why.
    case completed
    /// The message was text from the start.
    case notApplicable

    /// True if the message may be released.
    var isReady: Bool { self == .completed || self == .notApplicable }
}

/// The place of a message among the others.
///
/// A voice session says which item each item follows (`previous_item_id`), since items may be announced later than what
/// follows them. What has been released stays: a message that belongs among released ones becomes the next.
public enum MessagePlace: Sendable, Hashable {
    /// After all items.
    case end
    /// Before all items that were not released.
    case beginning
    /// Right after the message or item with that id; at the end, if no item has it.
    case after(String)
}
