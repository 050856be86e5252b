// SPDX-License-Identifier: MIT

/// True if a message's text is there.
public enum TranscriptStatus: String, Sendable, Hashable, CaseIterable, Codable {
    /// There is sound, and nothing of its text.
    case notStarted
    /// The text is coming.
    case inProgress
    /// The text is there; or it will never be, and ``Message/transcriptFailure`` says why.
    case completed
    /// The message was text from the start.
    case notApplicable

    /// True if the message may be released.
    var isReady: Bool { self == .completed || self == .notApplicable }
}
